-- The last import into an account. `steps` are the parts that are done, which a repeated run skips.
create table account_imports (
  user_id text collate "C" primary key references users on delete cascade,
  id text collate "C" not null unique,
  state text not null default 'running' check (state in ('running', 'done', 'failed', 'cancelled')),
  format text,
  failure text,
  progress real not null default 0,
  report jsonb not null default '{"counts": [], "problems": [], "moreProblems": 0}',
  steps text[] collate "C" not null default '{}',
  created_at timestamptz(3) not null
);

-- What an account has imported, by its id where it came from, so that a second import does not duplicate it.
create table imported_items (
  user_id text collate "C" not null references users on delete cascade,
  kind text collate "C" not null,
  origin text collate "C" not null,
  item_id text collate "C" not null,
  is_complete boolean not null default true,
  primary key (user_id, kind, origin)
);
