-- Browser and system of a session, as its owner sees them in the list of sessions.
alter table sessions add column device text not null default '';

-- Browsers and systems with which an account has signed in; another one causes a notification.
create table known_devices (
  user_id text collate "C" not null references users on delete cascade,
  device text not null,
  seen_at timestamptz(3) not null,
  primary key (user_id, device)
);
create index known_devices_seen_at on known_devices (seen_at);

alter table notifications add column device text,
  drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in
    ('video', 'comment', 'subscriber', 'processing', 'reply', 'mention', 'report', 'moderation', 'sign_in')) not valid;
