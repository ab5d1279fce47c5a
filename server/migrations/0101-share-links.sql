create table share_links (
  id text collate "C" primary key,
  video_id text collate "C" not null references videos on delete cascade,
  name text not null,
  secret text collate "C" not null unique,
  password_hash text,
  expires_at timestamp(3) with time zone,
  max_viewers integer,
  allows_download boolean not null,
  viewers integer not null default 0,
  created_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone
);
comment on table share_links is 'Links with which people without an account watch one video.';
comment on column share_links.secret is 'Not a hash: its owner copies the link again.';
create index share_links_video on share_links (video_id);

create table share_visits (
  token_hash bytea primary key,
  link_id text collate "C" not null references share_links on delete cascade,
  opened_at timestamp(3) with time zone not null
);
comment on table share_visits is 'Browsers that opened a share link; their token is part of the addresses of its files.';
create index share_visits_link on share_visits (link_id);
create index share_visits_opened on share_visits (opened_at);
