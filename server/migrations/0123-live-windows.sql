-- a stream that keeps nothing is written to one file after another, and the oldest ones are deleted while it runs
alter table live_parts add column file integer not null default 0;
comment on column live_parts.file is 'Number of the file of the recording; only streams that keep nothing have several.';
comment on column live_parts.position is 'First byte of the video in its file; its audio follows.';

alter table live_streams add column dropped_parts integer not null default 0;
alter table live_streams add column dropped_sounds integer not null default 0;
comment on column live_streams.dropped_parts is 'Parts that were deleted while the stream runs: the first one is of this number.';
comment on column live_streams.dropped_sounds is 'Those of them that had sound.';
