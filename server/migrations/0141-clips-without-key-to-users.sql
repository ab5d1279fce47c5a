-- clips go with their videos; the key only adds locks on accounts
alter table clips drop constraint clips_channel_id_fkey;

create or replace function set_channel_of_clip() returns trigger language plpgsql as $$
begin
  -- the lock waits for a handover of the video
  select owner_id into new.channel_id from videos where id = new.video_id for share;
  return new;
end $$;

comment on column comments.time_dates is 'Dates at which times that the last edit kept were written, by time in seconds.';
