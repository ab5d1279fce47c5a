-- unlogged, and without a foreign key, whose check would write to the log: rows are needed for some seconds, and their
-- frames are in the part that follows
create unlogged table live_chunks (
  video_id text not null,
  part integer not null check (part >= 0),
  chunk integer not null check (chunk >= 0),
  start_micros bigint not null,
  end_micros bigint not null,
  audio_start_micros bigint not null,
  audio_end_micros bigint not null,
  video bytea not null,
  audio bytea,
  received_at timestamptz(3) not null,
  primary key (video_id, part, chunk)
);
-- coded frames cannot be compressed
alter table live_chunks alter video set storage external, alter audio set storage external;
comment on table live_chunks is 'Frames of the part of a live stream that is not complete, and of the last parts, for viewers with low latency.';
comment on column live_chunks.audio is 'Null if no sound arrived since the chunk before.';
