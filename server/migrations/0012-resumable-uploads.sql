-- Running uploads into a bucket, which any web process can continue. Parts of a multipart upload have equal sizes; the
-- bytes after the last whole part are an object of their own, the tail.
create table resumable_uploads (
  id text collate "C" primary key,
  -- null until the client announces it
  size_bytes bigint,
  -- metadata of the client, and the id of the user
  metadata jsonb not null,
  source_key text not null,
  -- name of its parts in the bucket
  parts_id text not null,
  part_bytes bigint not null,
  part_tags text[] not null default '{}',
  received_bytes bigint not null default 0,
  tail_key text,
  -- the request that continues the upload; bytes of earlier requests are refused
  writer text,
  touched_at timestamptz(3) not null
);
create index resumable_uploads_touched_at on resumable_uploads (touched_at);
