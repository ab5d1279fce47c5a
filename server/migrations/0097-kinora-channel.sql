-- Notifications between processes use a channel with the name of the program: another program in the same database may use
-- any general one. Processes of this version listen on the previous channel, too.

create or replace function publish_unread(user_ids text[], counts integer[]) returns void language sql as $$
  select pg_notify('kinora', json_build_array('notifications/' || user_id, unread::text)::text)
  from unnest(user_ids, counts) as changed (user_id, unread) where cardinality(user_ids) <= 50;
  select pg_notify('kinora', json_build_array('notifications', min(user_id) || ' ' || max(user_id))::text)
  from unnest(user_ids) as user_id having count(*) > 50;
$$;
