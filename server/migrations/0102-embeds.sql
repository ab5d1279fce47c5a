create table video_embeds (
  video_id text collate "C" primary key references videos on delete cascade,
  allowed text not null check (allowed in ('everywhere', 'sites', 'nowhere')),
  sites text[] not null
);
comment on table video_embeds is 'Sites that may embed a video, where that differs from its channel.';

create table channel_embeds (
  user_id text collate "C" primary key references users on delete cascade,
  allowed text not null check (allowed in ('everywhere', 'sites', 'nowhere')),
  sites text[] not null
);
comment on table channel_embeds is 'Sites that may embed videos of a channel. A missing row counts as everywhere.';
