-- What owners say about their channel.
create table channel_profiles (
  user_id text collate "C" primary key references users on delete cascade,
  about text not null default '',
  -- URLs
  links text[] not null default '{}' check (cardinality(links) <= 10),
  pinned_video_id text collate "C" references videos on delete set null
);
create index channel_profiles_pinned_video_id on channel_profiles (pinned_video_id) where pinned_video_id is not null;
