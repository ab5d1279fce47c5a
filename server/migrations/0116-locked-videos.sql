-- a link can be listed: the video appears with a lock, for those who may not watch it, and opens with the password of the link
alter table share_links add column is_listed boolean not null default false;
alter table share_links add column shows_picture boolean not null default false;
alter table share_links add constraint share_links_listed_check
  check (not is_listed or (video_id is not null and password_hash is not null));
create unique index share_links_listed on share_links (video_id) where is_listed;
comment on column share_links.is_listed is 'Whether lists show the video with a lock.';
comment on column share_links.shows_picture is 'Whether they show its picture, too.';
