create table folder_import_run (
  only_row boolean primary key default true check (only_row),
  folder text not null,
  channel_id text collate "C" references users (id) on delete cascade not null,
  placement text not null check (placement in ('reference', 'link', 'copy')),
  is_dry_run boolean not null,
  counts jsonb not null,
  problems jsonb not null,
  failure text,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3)
);
comment on table folder_import_run is 'The last import of a folder that an administrator started: its progress and its result.';
