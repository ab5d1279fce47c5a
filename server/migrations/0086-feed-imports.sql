-- What the entry of a feed says of a video that is fetched from an address.
alter table video_imports add column description text not null default '',
  add column tags text[] not null default '{}',
  -- null for the time of the import
  add column published_at timestamptz(3),
  add column notifies_subscribers boolean not null default true,
  -- of a failure that may pass
  add column is_retryable boolean not null default false;

-- Feeds whose new videos are imported.
create table feed_imports (
  id text collate "C" primary key,
  owner_id text collate "C" not null references users on delete cascade,
  url text not null,
  -- null until the feed was read
  title text,
  visibility text not null,
  imports_existing boolean not null,
  etag text,
  last_modified text,
  checked_at timestamptz(3),
  next_check_at timestamptz(3) not null,
  -- after a quota or limit was reached
  next_import_at timestamptz(3),
  failures integer not null default 0,
  failure text,
  paused_at timestamptz(3),
  created_at timestamptz(3) not null,
  unique (owner_id, url)
);
create index feed_imports_due on feed_imports (next_check_at) where paused_at is null;

-- Entries that were seen, so that each is imported once.
create table feed_import_entries (
  feed_id text collate "C" not null references feed_imports on delete cascade,
  -- hash of the id, which has any length
  key text collate "C" not null,
  position bigint generated always as identity,
  -- JSON, until it is imported or given up; null for one that is not imported
  content text,
  -- its import, and later its video; null while it waits
  video_id text collate "C",
  attempts integer not null default 0,
  -- null before the first attempt
  next_attempt_at timestamptz(3),
  primary key (feed_id, key)
);
create index feed_import_entries_waiting on feed_import_entries (feed_id, position) where content is not null;
