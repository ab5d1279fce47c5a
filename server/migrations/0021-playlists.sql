-- Lists of videos that an account keeps. The one for later is made when it is first needed.
create table playlists (
  id text collate "C" primary key,
  owner_id text collate "C" not null references users on delete cascade,
  is_watch_later boolean not null default false,
  title text not null,
  description text not null default '',
  visibility text not null default 'private' check (visibility in ('private', 'unlisted', 'public')),
  -- kept by whoever holds the lock of the row and changes its entries
  entries_count integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index playlists_watch_later on playlists (owner_id) where is_watch_later;
create index playlists_owner_id on playlists (owner_id, updated_at desc, id desc);

create table playlist_entries (
  id text collate "C" primary key,
  playlist_id text collate "C" not null references playlists on delete cascade,
  -- null once the video is deleted: the entry keeps its place
  video_id text collate "C" references videos on delete set null,
  -- a key between those of its neighbours: moving an entry changes no other row
  position text collate "C" not null,
  added_at timestamptz(3) not null default now(),
  -- at the end of the statement: new keys for all of a list pass through old ones
  unique (playlist_id, position) deferrable,
  unique (playlist_id, video_id)
);
create index playlist_entries_video_id on playlist_entries (video_id);
