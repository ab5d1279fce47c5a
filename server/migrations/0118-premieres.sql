alter table videos
  add column premiere_at timestamp(3) with time zone,
  add column chat_from timestamp(3) with time zone,
  add column chat_until timestamp(3) with time zone;
comment on column videos.premiere_at is 'When everybody watches it together for the first time; null for videos without a premiere. Equals publish_at until then.';
comment on column videos.chat_from is 'Position 0 of its chat: when its first frame was or will be shown to everybody; null for videos without a chat.';
comment on column videos.chat_until is 'When its chat closes and is only replayed; null while that is not known.';

create table video_reminders (
  video_id text collate "C" not null references videos on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  created_at timestamp(3) with time zone not null default now(),
  notified_at timestamp(3) with time zone,
  primary key (video_id, user_id)
);
comment on table video_reminders is 'People who want to be notified when a premiere begins.';
create index video_reminders_user_id on video_reminders (user_id);

alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (kind in (
  'video', 'comment', 'subscriber', 'processing', 'reply', 'mention', 'report', 'moderation', 'sign_in', 'webhook', 'to_decide',
  'collaboration', 'handover', 'premiere'
)) not valid;
