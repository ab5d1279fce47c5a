-- what was cut of a video can be deleted: its file becomes what viewers see
create table cut_deletions (
  video_id text collate "C" primary key references videos on delete cascade,
  published_at timestamp(3) with time zone not null,
  progress real not null default 0,
  has_failed boolean not null default false
);
comment on table cut_deletions is 'Videos whose removed parts are being deleted. Publishing another cut ends it.';
comment on column cut_deletions.published_at is 'Of the cut whose ranges become the file.';

-- whatever has times of the file gets those of the new one, in the transaction that changes it
create function apply_final_cut() returns trigger language plpgsql as $$
begin
  update watch_history set position_seconds = time_in_cut(new.keep, position_seconds)
  where video_id = new.video_id and position_seconds > 0;
  delete from clips where video_id = new.video_id
    and time_in_cut(new.keep, end_seconds) <= time_in_cut(new.keep, start_seconds);
  update clips set start_seconds = time_in_cut(new.keep, start_seconds), end_seconds = time_in_cut(new.keep, end_seconds)
  where video_id = new.video_id;
  return new;
end $$;
create trigger apply_final_cut after insert or update on video_cuts
  for each row when (new.is_final) execute function apply_final_cut();
