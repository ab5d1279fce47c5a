create table upload_requests (
  owner_id text collate "C" not null references users on delete cascade,
  key text not null,
  -- checked at the end of the transaction: the row is inserted first, so that a concurrent request waits for it
  video_id text collate "C" not null unique references videos on delete cascade deferrable initially deferred,
  request_id text not null,
  primary key (owner_id, key)
);
comment on table upload_requests is 'Uploads in one request that were sent with an Idempotency-Key: a repeated request gets the same video.';
comment on column upload_requests.key is 'Hash of the Idempotency-Key.';
comment on column upload_requests.request_id is 'The request that has returned the video last: only this one may undo its upload.';

-- what a deleted video would still send
create index webhook_deliveries_waiting on webhook_deliveries (subject_id) where next_attempt_at is not null;
