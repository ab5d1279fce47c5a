-- What one account may upload, instead of the quota of the site; null for that of the site.
alter table users add column quota_bytes bigint check (quota_bytes > 0),
  add column quota_videos integer check (quota_videos > 0);
