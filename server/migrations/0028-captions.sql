-- Captions that owners add. Captions in a file are extracted from it, unless a row replaces them.
create table captions (
  id text collate "C" primary key,
  video_id text collate "C" not null references videos on delete cascade,
  -- BCP 47
  language text not null,
  label text not null,
  is_default boolean not null default false,
  -- the track of the file that this row replaces
  file_track integer,
  -- WebVTT
  content text not null,
  -- part of the URL, which caches keep for a year
  version integer not null default 1,
  unique (video_id, file_track)
);
create unique index captions_default on captions (video_id) where is_default;

create function tell_of_captions() returns trigger language plpgsql as $$
begin
  perform tell_changed(array(select distinct video_id from changed limit 51));
  return null;
end $$;
create trigger tell_of_added_captions after insert on captions referencing new table as changed
  for each statement execute function tell_of_captions();
create trigger tell_of_updated_captions after update on captions referencing new table as changed
  for each statement execute function tell_of_captions();
create trigger tell_of_deleted_captions after delete on captions referencing old table as changed
  for each statement execute function tell_of_captions();
