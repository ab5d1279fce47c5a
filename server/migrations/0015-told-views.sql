-- Publishes the number of views instead of a change, so that cached responses are updated and not invalidated.
create or replace function tell_of_views() returns trigger language plpgsql as $$
begin
  perform pg_notify('signals', json_build_array('views', json_object_agg(id, views)::text)::text)
  from (
    select v.id, v.views + (select sum(p.views) from pending_views p where p.video_id = v.id) as views,
      -- 100 counts fit into the 8000 bytes of a notification
      row_number() over () / 100 as message
    from videos v where v.id = any(array(select distinct video_id from changed))
  ) counted group by message;
  return null;
end $$;
