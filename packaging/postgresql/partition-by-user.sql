-- Partitions the tables that grow with the people who watch, by user, so that they can be vacuumed and moved in parts. Stop
-- the site, back it up, and run this as the owner of the database: psql --single-transaction -f partition-by-user.sql
-- A test runs these statements and uses the site on the result: npm test -- server sharding

create table sharded_watch_history (like watch_history including all) partition by hash (user_id);
create table sharded_unread (like unread_notifications including all) partition by hash (user_id);
create table sharded_notifications (like notifications including defaults including constraints including generated)
  partition by hash (user_id);
create table sharded_mails (like notification_mails including defaults) partition by hash (user_id);
create table sharded_pushes (like notification_pushes including defaults) partition by hash (user_id);

do $$
declare
  parent text;
begin
  foreach parent in array array['sharded_watch_history', 'sharded_unread', 'sharded_notifications', 'sharded_mails', 'sharded_pushes'] loop
    for remainder in 0..31 loop
      execute format('create table %I partition of %I for values with (modulus 32, remainder %s)',
        parent || '_' || remainder, parent, remainder);
    end loop;
  end loop;
end $$;

-- keys begin with the user; ids still come from one sequence
create sequence sharded_notifications_id as bigint;
select setval('sharded_notifications_id', (select coalesce(max(id), 0) + 1 from notifications), false);
alter table sharded_notifications alter column id set default nextval('sharded_notifications_id'),
  add primary key (user_id, id);
alter table sharded_mails add primary key (user_id, notification_id),
  add foreign key (user_id, notification_id) references sharded_notifications (user_id, id) on delete cascade;
alter table sharded_pushes add primary key (user_id, notification_id),
  add foreign key (user_id, notification_id) references sharded_notifications (user_id, id) on delete cascade;

insert into sharded_watch_history select * from watch_history;
insert into sharded_unread select * from unread_notifications;
insert into sharded_notifications select * from notifications;
insert into sharded_mails select * from notification_mails;
insert into sharded_pushes select * from notification_pushes;

-- their indexes, triggers, foreign keys and names
do $$
declare
  pair text[];
  statement text;
begin
  foreach pair slice 1 in array array[['watch_history', 'sharded_watch_history'], ['unread_notifications', 'sharded_unread'],
      ['notifications', 'sharded_notifications'], ['notification_mails', 'sharded_mails'], ['notification_pushes', 'sharded_pushes']] loop
    -- `like ... including all` has copied the indexes of the first two
    if pair[1] not in ('watch_history', 'unread_notifications') then
      for statement in
        select regexp_replace(replace(indexdef, 'public.' || pair[1] || ' ', 'public.' || pair[2] || ' '), 'INDEX (\w+)', 'INDEX sharded_\1')
        from pg_indexes where tablename = pair[1] and schemaname = 'public' and indexname <> pair[1] || '_pkey'
      loop
        execute statement;
      end loop;
    end if;
    for statement in
      select format('alter table %I add foreign key %s', pair[2], substr(pg_get_constraintdef(oid), 13))
      from pg_constraint where conrelid = pair[1]::regclass and contype = 'f' and confrelid <> 'notifications'::regclass
    loop
      execute statement;
    end loop;
    for statement in
      select replace(pg_get_triggerdef(oid), ' public.' || pair[1] || ' ', ' ' || pair[2] || ' ')
      from pg_trigger where tgrelid = pair[1]::regclass and not tgisinternal
    loop
      execute statement;
    end loop;
  end loop;
  foreach pair slice 1 in array array[['notification_mails', 'sharded_mails'], ['notification_pushes', 'sharded_pushes'],
      ['notifications', 'sharded_notifications'], ['unread_notifications', 'sharded_unread'], ['watch_history', 'sharded_watch_history']] loop
    execute format('drop table %I', pair[1]);
    execute format('alter table %I rename to %I', pair[2], pair[1]);
  end loop;
end $$;
