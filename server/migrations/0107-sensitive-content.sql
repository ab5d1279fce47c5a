alter table videos
  add column sensitive_reason text,
  add column sensitive_by_moderator boolean not null default false;
comment on column videos.sensitive_reason is 'Why its content is sensitive, as viewers read it; null for videos without the mark.';
comment on column videos.sensitive_by_moderator is 'Whether a moderator has set the mark, which the owner cannot change then.';

alter table users
  add column sensitive_videos text check (sensitive_videos in ('show', 'blur', 'hide')),
  add column viewing_languages text[];
comment on column users.sensitive_videos is 'Choice for sensitive videos; null for that of the site.';
comment on column users.viewing_languages is 'Languages of the videos that home and recommendations show; null for all.';
