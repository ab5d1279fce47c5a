-- Whose AV1 renditions are encoded, or cannot be: of the file whose segments are in this folder.
create table av1_ladders (
  video_id text collate "C" primary key references videos on delete cascade,
  folder text not null,
  is_ready boolean not null
);

-- The videos that were viewed on some days.
create index daily_views_day on daily_views (day);
