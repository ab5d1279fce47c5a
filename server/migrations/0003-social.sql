create table comments (
  id text collate "C" primary key,
  video_id text collate "C" not null references videos on delete cascade,
  author_id text collate "C" not null references users on delete cascade,
  content text not null,
  likes_count integer not null default 0,
  created_at timestamptz(3) not null default now()
);
create index comments_newest on comments (video_id, created_at desc, id desc);
create index comments_author_id on comments (author_id);

create table video_likes (
  video_id text collate "C" not null references videos on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (video_id, user_id)
);
create index video_likes_user_id on video_likes (user_id);

create table comment_likes (
  comment_id text collate "C" not null references comments on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (comment_id, user_id)
);
create index comment_likes_user_id on comment_likes (user_id);

create table subscriptions (
  subscriber_id text collate "C" not null references users on delete cascade,
  channel_id text collate "C" not null references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (subscriber_id, channel_id)
);
create index subscriptions_newest on subscriptions (subscriber_id, created_at desc, channel_id desc);
create index subscriptions_channel_id on subscriptions (channel_id);

create table watch_history (
  user_id text collate "C" not null references users on delete cascade,
  video_id text collate "C" not null references videos on delete cascade,
  -- null while only a playback position is known
  watched_at timestamptz(3),
  position_seconds double precision not null default 0,
  primary key (user_id, video_id)
);
create index watch_history_newest on watch_history (user_id, watched_at desc);
create index watch_history_video_id on watch_history (video_id);
