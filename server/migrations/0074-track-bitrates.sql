-- Bits per second of the segments of a track, measured once all of them exist. Until then playlists state estimates.
create table track_bitrates (
  video_id text collate "C" not null references videos on delete cascade,
  track text collate "C" not null,
  peak_bps integer not null,
  average_bps integer not null,
  primary key (video_id, track)
);
