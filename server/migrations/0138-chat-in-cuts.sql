-- a message of a replay belongs to a place of the file once a cut moves what viewers see
alter table chat_messages add column file_seconds double precision;
comment on column chat_messages.file_seconds is
  'Where it is shown, in seconds of the file. Null while that is the time since videos.chat_from: the video was not cut since.';
create index chat_messages_in_file on chat_messages (video_id, file_seconds) where file_seconds is not null;

create function is_in_cut(cut jsonb, seconds double precision) returns boolean
  language sql immutable parallel safe as $$
  select cut is null or seconds is null or exists (
    select from jsonb_to_recordset(cut) r ("startSeconds" double precision, "endSeconds" double precision)
    where seconds >= r."startSeconds" and seconds < r."endSeconds"
  )
$$;

-- viewers watched the cut that was in force, so positions of messages without a place are times of that
create function place_chat_messages() returns trigger language plpgsql as $$
begin
  update chat_messages m
  set file_seconds = time_in_file(old.cut, extract(epoch from m.sent_at - old.chat_from)::double precision)
  where m.video_id = old.id and m.file_seconds is null and m.sent_at >= old.chat_from;
  return new;
end $$;
create trigger place_chat_messages after update of cut on videos
  for each row when (old.cut is distinct from new.cut and old.chat_from is not null) execute function place_chat_messages();

update chat_messages m set file_seconds = extract(epoch from m.sent_at - v.chat_from)::double precision
from videos v join live_streams s on s.video_id = v.id
where m.video_id = v.id and v.cut is not null and m.sent_at >= v.chat_from;

-- messages about what is deleted for good go with it
create or replace function apply_final_cut() returns trigger language plpgsql as $$
begin
  update watch_history set position_seconds = time_in_cut(new.keep, position_seconds)
  where video_id = new.video_id and position_seconds > 0;
  delete from clips where video_id = new.video_id
    and time_in_cut(new.keep, end_seconds) <= time_in_cut(new.keep, start_seconds);
  update clips set start_seconds = time_in_cut(new.keep, start_seconds), end_seconds = time_in_cut(new.keep, end_seconds)
  where video_id = new.video_id;
  update chat_messages set removed_at = now()
  where video_id = new.video_id and removed_at is null and not is_in_cut(new.keep, file_seconds);
  update chat_messages set file_seconds = time_in_cut(new.keep, file_seconds)
  where video_id = new.video_id and file_seconds is not null;
  return new;
end $$;
