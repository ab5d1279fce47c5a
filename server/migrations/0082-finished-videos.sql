-- Whether a person has played a video to its end: its position is 0 then, as at the start.
alter table watch_history add column is_finished boolean not null default false;
