create table chat_messages (
  id text collate "C" primary key,
  video_id text collate "C" not null references videos on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  text text not null check (char_length(text) <= 200),
  sent_at timestamp(3) with time zone not null,
  removed_at timestamp(3) with time zone,
  removed_by text collate "C" references users on delete set null
);
comment on table chat_messages is 'Messages of the chats of videos. Their position in the video is sent_at minus videos.chat_from. A job deletes removed ones.';
create index chat_messages_of_video on chat_messages (video_id, sent_at desc, id desc);
create index chat_messages_of_user on chat_messages (user_id, video_id, sent_at desc);
create index chat_messages_removed on chat_messages (removed_at) where removed_at is not null;
create index chat_messages_removed_by on chat_messages (removed_by) where removed_by is not null;

create table chat_settings (
  video_id text collate "C" primary key references videos on delete cascade,
  writers text not null check (writers in ('everybody', 'subscribers', 'nobody')),
  slow_seconds integer not null check (slow_seconds between 0 and 300)
);
comment on table chat_settings is 'Settings of chats that differ from the default: everybody who sees the video writes as fast as they can.';
