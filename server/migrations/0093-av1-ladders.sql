-- Videos whose AV1 renditions were encoded, or could not be at `tried_at`. `folder` is that of the segments of the file.
create table av1_ladders (
  video_id text collate "C" primary key references videos on delete cascade,
  folder text not null,
  is_ready boolean not null,
  tried_at timestamptz not null default now()
);

-- The videos that were viewed within the last days.
create index daily_views_day on daily_views (day);
