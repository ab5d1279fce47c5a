create table intros (
  channel_id text collate "C" not null references users on delete cascade,
  kind text not null,
  video_id text collate "C" not null references videos on delete cascade,
  primary key (channel_id, kind),
  constraint intros_kind_check check (kind in ('intro', 'outro'))
);
comment on table intros is 'Short videos of a channel that players show before or after its other videos. Those who may not see one get none.';
create index intros_of_video on intros (video_id);

alter table videos add column plays_intros boolean not null default true;
comment on column videos.plays_intros is 'Whether players show the intro and the outro of the channel with the video.';
