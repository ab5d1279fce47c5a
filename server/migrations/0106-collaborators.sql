create table collaborators (
  channel_id text collate "C" not null references users on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  role text not null check (role in ('editor', 'manager')),
  created_at timestamp(3) with time zone not null,
  primary key (channel_id, user_id),
  check (channel_id <> user_id)
);
comment on table collaborators is 'People who work on the channel of somebody else.';
create index collaborators_user on collaborators (user_id);

create table collaboration_invitations (
  channel_id text collate "C" not null references users on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  role text not null check (role in ('editor', 'manager')),
  created_at timestamp(3) with time zone not null,
  primary key (channel_id, user_id),
  check (channel_id <> user_id)
);
comment on table collaboration_invitations is 'Invitations to work on a channel that are neither accepted nor declined.';
create index collaboration_invitations_user on collaboration_invitations (user_id);

alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (kind in (
  'video', 'comment', 'subscriber', 'processing', 'reply', 'mention', 'report', 'moderation', 'sign_in', 'webhook', 'to_decide',
  'collaboration'
)) not valid;
