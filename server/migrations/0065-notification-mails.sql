-- Which notifications users get by mail: none unless they chose it.
create table mail_frequencies (
  user_id text collate "C" primary key references users on delete cascade,
  frequency text not null check (frequency in ('immediate', 'daily')),
  -- of the daily mail, in UTC
  hour integer not null check (hour between 0 and 23)
);
create index mail_frequencies_daily on mail_frequencies (hour, user_id) where frequency = 'daily';

create table mailed_notifications (
  user_id text collate "C" not null references users on delete cascade,
  kind text not null,
  primary key (user_id, kind)
);

-- Notifications that wait to be mailed. They go with the notification: what is withdrawn is not mailed.
create table notification_mails (
  notification_id bigint primary key references notifications on delete cascade,
  user_id text collate "C" not null references users on delete cascade
);
create index notification_mails_user_id on notification_mails (user_id, notification_id);

create function queue_notification_mails() returns trigger language plpgsql as $$
begin
  insert into notification_mails (notification_id, user_id)
  select added.id, added.user_id from added
  join mail_frequencies frequency on frequency.user_id = added.user_id
  join mailed_notifications mailed on mailed.user_id = added.user_id and mailed.kind = added.kind;
  return null;
end $$;

-- a decision or an end of processing that was notified before
create function queue_notification_mail_again() returns trigger language plpgsql as $$
begin
  insert into notification_mails (notification_id, user_id)
  select new.id, new.user_id from mail_frequencies frequency
  join mailed_notifications mailed on mailed.user_id = frequency.user_id and mailed.kind = new.kind
  where frequency.user_id = new.user_id
  on conflict do nothing;
  return null;
end $$;

create trigger queue_notification_mails after insert on notifications referencing new table as added
  for each statement execute function queue_notification_mails();

create trigger queue_notification_mail_again after update of created_at on notifications for each row
  when (new.kind <> 'subscriber') execute function queue_notification_mail_again();
