-- Moderation. A suspended account cannot sign in; a video with a takedown reason is visible to its owner only.
alter table users add column suspended_at timestamptz(3);
alter table videos add column takedown_reason text;

create function unindex_video() returns trigger language plpgsql as $$
begin
  delete from video_search where video_id = new.id;
  return null;
end $$;

create trigger unindex_taken_down_video after update of takedown_reason on videos for each row
  when (new.takedown_reason is not null) execute function unindex_video();

create trigger index_reinstated_video after update of takedown_reason on videos for each row
  when (old.takedown_reason is not null and new.takedown_reason is null) execute function index_changed_video();
