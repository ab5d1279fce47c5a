-- clips can be reported
alter table reports drop constraint reports_kind_check,
  add constraint reports_kind_check check (kind in ('video', 'comment', 'channel', 'clip'));
comment on table reports is 'Reports about one video, comment, channel or clip, and the decision of a moderator about them.';
