-- Few descriptions list chapters, so a search for chapters begins with those that may.
create index videos_with_chapters on videos (id) where description ~ '0:00';
