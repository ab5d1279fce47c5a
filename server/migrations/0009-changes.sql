-- Notifies the web processes of changed rows, so that they invalidate cached responses: by id or, above 50 ids, of
-- anything. Triggers see the changes of every process.
create function tell_changed(ids text[]) returns void language sql as $$
  select pg_notify('signals', json_build_array(
    'changed', case when cardinality(ids) <= 50 then array_to_string(ids, ' ') else '' end
  )::text) where cardinality(ids) > 0
$$;

create function tell_of_everything() returns trigger language plpgsql as $$
begin
  perform tell_changed(array_fill(''::text, '{51}'));
  return null;
end $$;

create function tell_of_rows() returns trigger language plpgsql as $$
begin
  perform tell_changed(array(select distinct id from changed limit 51));
  return null;
end $$;

create function tell_of_comments() returns trigger language plpgsql as $$
begin
  perform tell_changed(array(select distinct 'comments:' || video_id from changed limit 51));
  return null;
end $$;

create function tell_of_views() returns trigger language plpgsql as $$
begin
  perform tell_changed(array(select distinct video_id from changed limit 51));
  return null;
end $$;

-- changes of lists of videos and search results
create trigger tell_of_videos after insert or delete or truncate on videos
  for each statement execute function tell_of_everything();
create trigger tell_of_texts after update of title, description, takedown_reason on videos
  for each statement execute function tell_of_everything();
create trigger tell_of_updated_videos after update on videos referencing new table as changed
  for each statement execute function tell_of_rows();

create trigger tell_of_names after update of username, fullname, suspended_at on users
  for each statement execute function tell_of_everything();
create trigger tell_of_updated_users after update on users referencing new table as changed
  for each statement execute function tell_of_rows();

create trigger tell_of_added_comments after insert on comments referencing new table as changed
  for each statement execute function tell_of_comments();
create trigger tell_of_deleted_comments after delete on comments referencing old table as changed
  for each statement execute function tell_of_comments();
create trigger tell_of_updated_comments after update on comments referencing new table as changed
  for each statement execute function tell_of_rows();

create trigger tell_of_added_views after insert on pending_views referencing new table as changed
  for each statement execute function tell_of_views();
