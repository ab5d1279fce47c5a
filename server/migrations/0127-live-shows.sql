create table live_shows (
  id text primary key,
  channel_id text not null references users on delete cascade,
  title text not null,
  description text not null default '',
  visibility text not null check (visibility in ('public', 'unlisted', 'members', 'private')),
  keeps_recording boolean not null,
  created_at timestamptz(3) not null
);
create index live_shows_by_channel on live_shows (channel_id, created_at);
comment on table live_shows is 'Templates of shows that a channel streams again and again.';
