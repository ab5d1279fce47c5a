-- Standard names for the functions and triggers that notify the web processes of changed rows. Statements call none of
-- them by name, so processes of the previous version continue to work.

-- called by triggers only
alter function tell_changed(text[]) rename to notify_changed;
-- called by triggers only
alter function tell_of_everything() rename to notify_any_change;
-- called by triggers only
alter function tell_of_rows() rename to notify_changed_rows;
-- called by triggers only
alter function tell_of_comments() rename to notify_changed_comments;
-- called by triggers only
alter function tell_of_captions() rename to notify_changed_captions;
-- called by triggers only
alter function tell_of_views() rename to notify_views;

create or replace function notify_any_change() returns trigger language plpgsql as $$
begin
  perform notify_changed(array_fill(''::text, '{51}'));
  return null;
end $$;

create or replace function notify_changed_rows() returns trigger language plpgsql as $$
begin
  perform notify_changed(array(select distinct id from changed limit 51));
  return null;
end $$;

create or replace function notify_changed_comments() returns trigger language plpgsql as $$
begin
  perform notify_changed(array(select distinct 'comments:' || video_id from changed limit 51));
  return null;
end $$;

create or replace function notify_changed_captions() returns trigger language plpgsql as $$
begin
  perform notify_changed(array(select distinct video_id from changed limit 51));
  return null;
end $$;

create or replace function notify_views() returns trigger language plpgsql as $$
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

alter trigger tell_of_videos on videos rename to notify_videos;
alter trigger tell_of_texts on videos rename to notify_video_details;
alter trigger tell_of_updated_videos on videos rename to notify_updated_videos;
alter trigger tell_of_names on users rename to notify_user_names;
alter trigger tell_of_updated_users on users rename to notify_updated_users;
alter trigger tell_of_added_comments on comments rename to notify_added_comments;
alter trigger tell_of_deleted_comments on comments rename to notify_deleted_comments;
alter trigger tell_of_updated_comments on comments rename to notify_updated_comments;
alter trigger tell_of_added_captions on captions rename to notify_added_captions;
alter trigger tell_of_deleted_captions on captions rename to notify_deleted_captions;
alter trigger tell_of_updated_captions on captions rename to notify_updated_captions;
alter trigger tell_of_added_views on pending_views rename to notify_added_views;
