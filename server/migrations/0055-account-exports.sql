-- The archive of an account: at most one, which expires.
create table account_exports (
  user_id text collate "C" primary key references users on delete cascade,
  id text collate "C" not null unique,
  state text not null default 'running' check (state in ('running', 'ready', 'failed')),
  progress real not null default 0,
  size_bytes bigint,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
