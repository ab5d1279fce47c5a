-- Videos and channels that users do not want to be recommended.
create table dismissed_videos (
  user_id text collate "C" not null references users on delete cascade,
  video_id text collate "C" not null references videos on delete cascade,
  dismissed_at timestamptz(3) not null default now(),
  primary key (user_id, video_id)
);
create index dismissed_videos_video_id on dismissed_videos (video_id);

create table dismissed_channels (
  user_id text collate "C" not null references users on delete cascade,
  channel_id text collate "C" not null references users on delete cascade,
  dismissed_at timestamptz(3) not null default now(),
  primary key (user_id, channel_id)
);
create index dismissed_channels_channel_id on dismissed_channels (channel_id);
