-- Captions inside the files of videos, as text in which a search finds moments. A job extracts them after publishing.
create table file_captions (
  video_id text collate "C" not null references videos on delete cascade,
  -- place among the captions of the file
  file_track int not null,
  -- of the video when the text was extracted: null for the file that it was published with
  replacement text,
  content text not null,
  document tsvector not null,
  primary key (video_id, file_track)
);
create index file_captions_document on file_captions using gin (document) with (fastupdate = off);
create index videos_with_file_captions on videos (id) where source->'captions'->0 is not null;
