-- Videos that are fetched from an address. The video gets the id of its import.
create table video_imports (
  id text collate "C" primary key,
  owner_id text collate "C" not null references users on delete cascade,
  url text not null,
  title text not null,
  visibility text not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  received_bytes bigint not null default 0,
  -- null until the server states it
  size_bytes bigint,
  failure text,
  created_at timestamptz(3) not null
);
create index video_imports_owner_id on video_imports (owner_id, created_at desc);
