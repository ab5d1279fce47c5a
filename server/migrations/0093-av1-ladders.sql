create table av1_ladders (
  video_id text collate "C" primary key references videos on delete cascade,
  folder text not null,
  is_ready boolean not null,
  tried_at timestamptz not null default now()
);
comment on table av1_ladders is 'Videos whose AV1 renditions were encoded, or could not be.';
comment on column av1_ladders.folder is 'Folder of the segments of the file that was encoded.';
comment on column av1_ladders.is_ready is 'False if they could not be encoded.';

-- The videos that were viewed within the last days.
create index daily_views_day on daily_views (day);
