-- What an imported archive refers to and this site does not have, as the archive had it. Exports contain it again.
create table imported_references (
  user_id text collate "C" not null references users on delete cascade,
  -- file of the archive
  file text collate "C" not null,
  -- id of the playlist, group of channels or video that it belongs to
  list text collate "C" not null default '',
  -- id in the archive
  key text collate "C" not null,
  content jsonb not null,
  -- in an ordered list
  position integer,
  primary key (user_id, file, list, key)
);
