create table live_browsers (
  channel_id text primary key references users on delete cascade,
  id text not null unique,
  opened_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  next_piece integer not null default 0,
  has_begun boolean not null default false,
  end_reason text
);
comment on table live_browsers is 'Browsers that stream: the last one of each channel.';
comment on column live_browsers.has_begun is 'Whether a part of a stream was recorded. It may only continue that stream.';

create table live_pieces (
  channel_id text not null references live_browsers on delete cascade,
  piece integer not null check (piece >= 0),
  content bytea not null,
  received_at timestamptz(3) not null,
  primary key (channel_id, piece)
);
-- encoded pictures do not get smaller
alter table live_pieces alter column content set storage external;
comment on table live_pieces is 'Pieces of streams that browsers have sent, and that the ingest process has not recorded yet.';
