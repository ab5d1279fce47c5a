-- Users whose history is paused.
create table paused_histories (
  user_id text collate "C" primary key references users on delete cascade,
  paused_at timestamptz(3) not null default now()
);
