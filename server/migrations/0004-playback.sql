-- Runs of segments encoded in the background; only while a video is being prepared.
create table prepared_runs (
  video_id text collate "C" not null references videos on delete cascade,
  run integer not null,
  primary key (video_id, run)
);
