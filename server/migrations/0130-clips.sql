create table clips (
  id text collate "C" primary key,
  video_id text collate "C" not null references videos on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  title text not null,
  start_seconds double precision not null,
  end_seconds double precision not null,
  created_at timestamp(3) with time zone not null,
  constraint clips_range_check check (start_seconds >= 0 and end_seconds > start_seconds)
);
comment on table clips is 'Parts of videos that somebody shares under a title. Their times are those of the whole file, so that a cut moves them.';
create index clips_of_user on clips (user_id, created_at desc, id desc);
create index clips_of_video on clips (video_id, created_at desc, id desc);

alter table videos add column clips_allowed boolean;
comment on column videos.clips_allowed is 'Whether viewers may make clips; null for the choice of the channel.';
alter table users add column clips_allowed boolean;
comment on column users.clips_allowed is 'Whether viewers may make clips of the videos of the channel; null for the public ones.';
