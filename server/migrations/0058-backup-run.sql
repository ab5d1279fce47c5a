-- The last backup or verification that an administrator started: its progress and its result.
create table backup_run (
  only_row boolean primary key default true check (only_row),
  kind text not null check (kind in ('create', 'verify')),
  progress text not null,
  problems text[] not null,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3)
);
