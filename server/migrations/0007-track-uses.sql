-- Time of the last request for a track (a rendition, an audio track) of a video. The least recently used is evicted first.
create table track_uses (
  video_id text collate "C" not null references videos on delete cascade,
  track text not null,
  used_at timestamptz(3) not null,
  primary key (video_id, track)
);
