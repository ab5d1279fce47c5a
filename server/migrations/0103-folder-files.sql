create table folder_files (
  owner_id text collate "C" not null references users on delete cascade,
  path text not null,
  size_bytes bigint not null,
  fingerprint bytea not null,
  video_id text collate "C" not null,
  primary key (owner_id, path)
);
comment on table folder_files is 'Files of a folder that were imported into a channel, so that a second import adds what is new. Rows of deleted videos stay: they are not imported again.';
comment on column folder_files.fingerprint is 'Hash of the first and last bytes, by which a renamed file is found.';
create index folder_files_fingerprint on folder_files (owner_id, fingerprint);
