-- somebody who no longer works on a channel is no named viewer of its videos either, which they could have made themselves
create function remove_viewer_of_channel() returns trigger language plpgsql as $$
begin
  delete from video_viewers w using videos v
  where w.user_id = old.user_id and v.id = w.video_id and v.owner_id = old.channel_id;
  return null;
end $$;
create trigger remove_viewer_of_channel after delete on collaborators
  for each row execute function remove_viewer_of_channel();
