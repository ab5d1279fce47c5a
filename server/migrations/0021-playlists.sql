-- Playlists of an account. Watch later is created on first use.
create table playlists (
  id text collate "C" primary key,
  owner_id text collate "C" not null references users on delete cascade,
  is_watch_later boolean not null default false,
  title text not null,
  description text not null default '',
  visibility text not null default 'private' check (visibility in ('private', 'unlisted', 'public')),
  -- updated under the lock of the row, together with the entries
  entries_count integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index playlists_watch_later on playlists (owner_id) where is_watch_later;
create index playlists_owner_id on playlists (owner_id, updated_at desc, id desc);

create table playlist_entries (
  id text collate "C" primary key,
  playlist_id text collate "C" not null references playlists on delete cascade,
  -- null once the video is deleted: the entry keeps its position
  video_id text collate "C" references videos on delete set null,
  -- fractional index: moving an entry changes no other row
  position text collate "C" not null,
  added_at timestamptz(3) not null default now(),
  -- deferred to the end of the statement, because rebalancing passes through existing keys
  unique (playlist_id, position) deferrable,
  unique (playlist_id, video_id)
);
create index playlist_entries_video_id on playlist_entries (video_id);
