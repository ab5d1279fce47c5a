-- the list of a channel reads an index instead of sorting all clips of its videos
alter table clips add column channel_id text collate "C" references users on delete cascade;
comment on column clips.channel_id is 'Owner of the video, written by triggers.';

create function set_channel_of_clip() returns trigger language plpgsql as $$
begin
  -- waits for a video that is being handed over
  select owner_id into new.channel_id from videos where id = new.video_id for share;
  return new;
end $$;
create trigger set_channel_of_clip before insert on clips for each row execute function set_channel_of_clip();

create or replace function give_video() returns trigger language plpgsql as $$
begin
  update channel_profiles set pinned_video_id = null where user_id = old.owner_id and pinned_video_id = new.id;
  update reports set owner_id = new.owner_id where kind = 'video' and subject_id = new.id and decision is null;
  update clips set channel_id = new.owner_id where video_id = new.id;
  delete from handovers where video_id = new.id;
  return null;
end $$;

update clips c set channel_id = v.owner_id from videos v where v.id = c.video_id;
create index clips_of_channel on clips (channel_id, created_at desc, id desc);
