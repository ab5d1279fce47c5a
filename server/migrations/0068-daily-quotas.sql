-- More of what one account may upload, instead of the quota of the site; null for that of the site.
alter table users add column quota_daily_bytes bigint check (quota_daily_bytes > 0),
  add column quota_video_minutes integer check (quota_video_minutes > 0);

-- What accounts uploaded lately. A row outlives its video: deleted uploads count for their day.
create table uploaded_bytes (
  upload_id text primary key,
  owner_id text not null references users on delete cascade,
  bytes bigint not null,
  uploaded_at timestamptz not null
);

create index uploaded_bytes_of_owner on uploaded_bytes (owner_id, uploaded_at);
