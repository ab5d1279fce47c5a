-- Browsers that get notifications by web push. A subscription ends with the session that made it.
create table push_subscriptions (
  id bigint generated always as identity primary key,
  session_hash bytea not null unique references sessions on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  endpoint text not null unique,
  -- the browser's public key and secret (RFC 8291), in base64url
  p256dh text not null,
  auth text not null,
  created_at timestamptz(3) not null default now()
);
create index push_subscriptions_user_id on push_subscriptions (user_id, created_at);

-- Kinds that a user does not want by push.
create table muted_pushes (
  user_id text collate "C" not null references users on delete cascade,
  kind text not null,
  primary key (user_id, kind)
);

-- Notifications that wait to be pushed. They go with the notification: what is withdrawn is not pushed.
create table notification_pushes (
  notification_id bigint primary key references notifications on delete cascade,
  user_id text collate "C" not null references users on delete cascade
);
create index notification_pushes_user_id on notification_pushes (user_id);

create function queue_notification_pushes() returns trigger language plpgsql as $$
begin
  insert into notification_pushes (notification_id, user_id)
  select added.id, added.user_id from added
  where exists (select from push_subscriptions s where s.user_id = added.user_id);
  return null;
end $$;

-- a decision or an end of processing that was notified before
create function queue_notification_push_again() returns trigger language plpgsql as $$
begin
  insert into notification_pushes (notification_id, user_id)
  select new.id, new.user_id where exists (select from push_subscriptions s where s.user_id = new.user_id)
  on conflict do nothing;
  return null;
end $$;

create trigger queue_notification_pushes after insert on notifications referencing new table as added
  for each statement execute function queue_notification_pushes();

create trigger queue_notification_push_again after update of created_at on notifications for each row
  when (new.kind <> 'subscriber') execute function queue_notification_push_again();
