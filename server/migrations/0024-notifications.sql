-- Notifications of users. A row refers to its subject; lists read texts and visibility of the subject.
create table notifications (
  id bigint generated always as identity primary key,
  user_id text collate "C" not null references users on delete cascade,
  kind text not null check (kind in ('video', 'comment', 'subscriber', 'processing', 'reply', 'mention')),
  -- no foreign key, so that a deletion does not wait for the notifications of all subscribers; a job deletes them
  video_id text collate "C",
  comment_id text collate "C" references comments on delete cascade,
  -- the user who caused it; the last one of a group
  actor_id text collate "C" references users on delete set null,
  actors_count integer not null default 1,
  is_read boolean not null default false,
  created_at timestamptz(3) not null default now()
);
create index notifications_newest on notifications (user_id, created_at desc, id desc);
create index notifications_created_at on notifications using brin (created_at);
create index notifications_actor_id on notifications (actor_id) where actor_id is not null;
-- one for each subject and user, even if its job runs twice
create unique index notifications_of_video on notifications (video_id, user_id, kind)
  where kind in ('video', 'processing');
create unique index notifications_of_comment on notifications (comment_id, user_id) where comment_id is not null;
create unique index notifications_of_subscribers on notifications (user_id) where kind = 'subscriber' and not is_read;

-- Kinds that a user has switched off.
create table muted_notifications (
  user_id text collate "C" not null references users on delete cascade,
  kind text not null,
  primary key (user_id, kind)
);

create table unread_notifications (
  user_id text collate "C" primary key references users on delete cascade,
  unread integer not null
);

-- Videos of which subscribers were notified, so that publishing one again notifies nobody.
create table announced_videos (
  video_id text collate "C" primary key references videos on delete cascade,
  announced_at timestamptz(3) not null default now()
);
insert into announced_videos (video_id) select id from videos where visibility = 'public';

-- Fan-out reads the subscribers of a channel in this order.
create index subscriptions_of_channel on subscriptions (channel_id, subscriber_id);
drop index subscriptions_channel_id;

-- Publishes changed counts: one message for each person, or one for all between two ids.
create function publish_unread(user_ids text[], counts integer[]) returns void language sql as $$
  select pg_notify('signals', json_build_array('notifications/' || user_id, unread::text)::text)
  from unnest(user_ids, counts) as changed (user_id, unread) where cardinality(user_ids) <= 50;
  select pg_notify('signals', json_build_array('notifications', min(user_id) || ' ' || max(user_id))::text)
  from unnest(user_ids) as user_id having count(*) > 50;
$$;

-- Keeps the count of unread notifications, whatever changes them.
create function add_to_unread(user_ids text[], differences integer[]) returns void language plpgsql as $$
declare
  changed_ids text[];
  counts integer[];
begin
  -- in one order, or two of these could wait for each other
  perform from unread_notifications where user_id = any(user_ids) order by user_id for no key update;
  with changed as (
    update unread_notifications kept set unread = kept.unread + added.difference
    from unnest(user_ids, differences) as added (user_id, difference)
    where kept.user_id = added.user_id and added.difference < 0
    returning kept.user_id, kept.unread
  ), increased as (
    insert into unread_notifications as kept (user_id, unread)
    select user_id, difference from unnest(user_ids, differences) as added (user_id, difference)
    where difference > 0 order by user_id
    on conflict (user_id) do update set unread = kept.unread + excluded.unread
    returning user_id, unread
  ), both_ways as (select * from changed union all select * from increased)
  select array_agg(user_id), array_agg(unread) into changed_ids, counts from both_ways;
  perform publish_unread(changed_ids, counts);
end $$;

create function count_added_notifications() returns trigger language plpgsql as $$
declare
  ids text[];
  differences integer[];
begin
  select array_agg(user_id), array_agg(unread) into ids, differences
  from (select user_id, count(*)::integer as unread from added where not is_read group by user_id) counted;
  perform add_to_unread(ids, differences) where ids is not null;
  return null;
end $$;

create function count_deleted_notifications() returns trigger language plpgsql as $$
declare
  ids text[];
  differences integer[];
begin
  select array_agg(user_id), array_agg(-unread) into ids, differences
  from (select user_id, count(*)::integer as unread from deleted where not is_read group by user_id) counted;
  perform add_to_unread(ids, differences) where ids is not null;
  return null;
end $$;

create function count_read_notifications() returns trigger language plpgsql as $$
declare
  ids text[];
  differences integer[];
begin
  select array_agg(user_id), array_agg(difference) into ids, differences from (
    select new_row.user_id, sum(old_row.is_read::integer - new_row.is_read::integer)::integer as difference
    from old_rows old_row join new_rows new_row on new_row.id = old_row.id
    where old_row.is_read <> new_row.is_read group by new_row.user_id
  ) counted;
  perform add_to_unread(ids, differences) where ids is not null;
  return null;
end $$;

create trigger count_added_notifications after insert on notifications referencing new table as added
  for each statement execute function count_added_notifications();
create trigger count_deleted_notifications after delete on notifications referencing old table as deleted
  for each statement execute function count_deleted_notifications();
create trigger count_read_notifications after update on notifications
  referencing old table as old_rows new table as new_rows
  for each statement execute function count_read_notifications();
