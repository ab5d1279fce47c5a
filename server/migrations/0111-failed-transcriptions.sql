-- failed transcriptions, as administrators see them
alter table transcriptions
  add column failed_attempts int not null default 0,
  add column dismissed_at timestamptz;
comment on column transcriptions.failed_attempts is 'Attempts with this file that failed, whatever the reason.';
comment on column transcriptions.dismissed_at is 'When an administrator took it off the list of failures.';
-- unused since 0111-failed-transcriptions.sql: the same under a wrong name, which no release had
alter table transcriptions drop column crashes;
create index transcriptions_failed on transcriptions (changed_at) where state = 'failed' and dismissed_at is null;
