-- What people reported about one video, comment or channel, and the decision of a moderator. The subject has no foreign key:
-- a report outlives it.
create table reports (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('video', 'comment', 'channel')),
  subject_id text collate "C" not null,
  owner_id text collate "C" not null references users on delete cascade,
  title text not null,
  created_at timestamptz(3) not null default now(),
  decision text check (decision in ('dismiss', 'remove')),
  note text not null default '',
  decided_by text,
  decided_at timestamptz(3),
  answer text,
  answered_at timestamptz(3)
);
create unique index reports_open on reports (kind, subject_id) where decision is null;
create index reports_owner_id on reports (owner_id);

create table report_entries (
  report_id bigint not null references reports on delete cascade,
  reporter_id text collate "C" not null references users on delete cascade,
  reason text not null,
  text text not null,
  created_at timestamptz(3) not null default now(),
  primary key (report_id, reporter_id)
);
create index report_entries_reporter_id on report_entries (reporter_id);

alter table notifications add column report_id bigint references reports on delete cascade,
  drop constraint notifications_kind_check,
  add constraint notifications_kind_check
    check (kind in ('video', 'comment', 'subscriber', 'processing', 'reply', 'mention', 'report', 'moderation')) not valid;
create unique index notifications_of_report on notifications (report_id, user_id) where report_id is not null;
