-- a live stream is announced by the row of its video, so that chat and reminders are there before it begins
alter table videos
  add column announced_visibility text check (announced_visibility in ('public', 'unlisted', 'members', 'private'));
comment on column videos.announced_visibility is
  'Of an announced live stream that has not begun: who may see the announcement, and the stream; private once it has expired. Nobody sees such a row as a video. Null for videos.';
create index videos_announced on videos (owner_id, chat_from) where announced_visibility is not null;
create index videos_coming on videos (chat_from, id) where announced_visibility in ('public', 'members');
create index videos_premieres on videos (premiere_at) where premiere_at is not null;

create table live_announcements (
  video_id text collate "C" primary key references videos on delete cascade,
  visibility text not null check (visibility in ('public', 'unlisted', 'members')),
  keeps_recording boolean not null,
  drawn_picture text
);
comment on table live_announcements is 'Live streams that were announced for a time, which is videos.chat_from, and have not begun.';
comment on column live_announcements.drawn_picture is 'Thumbnail that the site has drawn, because the channel chose none: the first frame of the stream replaces it.';

alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (kind in (
  'video', 'comment', 'subscriber', 'processing', 'reply', 'mention', 'report', 'moderation', 'sign_in', 'webhook', 'to_decide',
  'collaboration', 'handover', 'premiere', 'live_expired'
)) not valid;
