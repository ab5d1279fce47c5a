-- while a live stream runs, the source of its video grows; its ordinary playlists exist from the end on
alter table videos add column is_live boolean not null default false;

create table live_channels (
  user_id text primary key references users on delete cascade,
  is_allowed boolean not null default false,
  key_nonce text,
  key_hash bytea unique,
  title text not null default '',
  description text not null default '',
  visibility text not null default 'private' check (visibility in ('public', 'unlisted', 'members', 'private')),
  keeps_recording boolean not null default true,
  refused_at timestamptz(3),
  refusal text,
  check ((key_nonce is null) = (key_hash is null))
);
comment on table live_channels is 'Stream keys of channels as hashes, and the templates of their streams.';
comment on column live_channels.is_allowed is 'An administrator allows it, whatever the role.';
comment on column live_channels.key_nonce is 'The key is an HMAC of this with the secret of the site, so that it can be shown again.';
comment on column live_channels.refusal is 'Why the last encoder was refused.';

create table live_streams (
  video_id text primary key references videos on delete cascade,
  channel_id text not null references users on delete cascade,
  format text not null,
  init bytea not null,
  keeps_recording boolean not null,
  is_connected boolean not null default true,
  started_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  end_requested text,
  ended_at timestamptz(3),
  end_reason text,
  health jsonb,
  peak_viewers integer not null default 0
);
create unique index live_streams_running on live_streams (channel_id) where ended_at is null;
create index live_streams_by_channel on live_streams (channel_id, started_at desc);
create index live_streams_ended on live_streams (ended_at) where ended_at is not null;
comment on table live_streams is 'Live streams, also those that ended. A channel has at most one that runs.';
comment on column live_streams.format is 'Hash of the codec configurations. Only a connection with the same continues the stream.';
comment on column live_streams.init is 'Beginning of the recording: ftyp and moov.';
comment on column live_streams.seen_at is 'When the last part arrived.';
comment on column live_streams.end_requested is 'Reason for which the ingest process shall end it.';

create table live_parts (
  video_id text not null references live_streams on delete cascade,
  part integer not null check (part >= 0),
  start_micros bigint not null,
  end_micros bigint not null,
  audio_start_micros bigint not null,
  audio_end_micros bigint not null,
  position bigint not null,
  video_bytes integer not null,
  audio_bytes integer not null,
  received_at timestamptz(3) not null,
  is_resumed boolean not null default false,
  primary key (video_id, part)
);
comment on table live_parts is 'Parts of the recording of a live stream: a group of pictures and its sound. Each is a segment of the live playlists.';
comment on column live_parts.position is 'First byte of the video in the recording; its audio follows.';
comment on column live_parts.is_resumed is 'The first of a connection after another one.';

create table live_viewers (
  video_id text not null references live_streams on delete cascade,
  process text not null,
  viewers integer not null,
  counted_at timestamptz(3) not null,
  primary key (video_id, process)
);
comment on table live_viewers is 'Viewers of live streams now, as each web process counts them.';
