-- When somebody last asked for a track (a rung, a sound track) of a video; what was asked for long ago is evicted first.
create table track_uses (
  video_id text collate "C" not null references videos on delete cascade,
  track text not null,
  used_at timestamptz(3) not null,
  primary key (video_id, track)
);
