-- a deletion ends when nothing is left of the old file: until then it is hidden from a reverse proxy
alter table cut_deletions add column old_source_key text, add column old_folder text,
  add constraint cut_deletions_old_file check ((old_source_key is null) = (old_folder is null));
comment on column cut_deletions.old_source_key is 'The replaced file, which is being deleted. Null until it is replaced.';
comment on column cut_deletions.old_folder is 'Folder of the segments of the replaced file.';
