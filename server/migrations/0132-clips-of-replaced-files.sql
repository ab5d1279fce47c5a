-- clips are of the file: another one has other things at their places
create function delete_clips_of_file() returns trigger language plpgsql as $$
begin
  -- the deletion of what a cut removed keeps the cut, and moves clips itself
  delete from clips where video_id = new.id and not exists (select from video_cuts where video_id = new.id);
  return new;
end $$;
create trigger delete_clips_of_file after update of replacement on videos
  for each row when (new.replacement is distinct from old.replacement) execute function delete_clips_of_file();
