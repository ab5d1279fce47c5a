-- Uploads on their way into a bucket, so that any web process goes on with them. All but the last of their bytes are
-- parts of one size there; what came after the last whole part lies in an object of its own, the tail.
create table resumable_uploads (
  id text collate "C" primary key,
  -- null until the sender knows it
  size_bytes bigint,
  -- what the sender says of the file, and whose it is
  metadata jsonb not null,
  source_key text not null,
  -- the name of its parts in the bucket
  parts_id text not null,
  part_bytes bigint not null,
  part_tags text[] not null default '{}',
  received_bytes bigint not null default 0,
  tail_key text,
  -- the request that goes on with it; bytes of an earlier one are not taken any more
  writer text,
  touched_at timestamptz(3) not null
);
create index resumable_uploads_touched_at on resumable_uploads (touched_at);
