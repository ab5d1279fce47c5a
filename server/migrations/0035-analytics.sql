-- How videos were watched, without viewers. Reports are appended, and a job adds them to the row of their video and day.
create table pending_playbacks (
  video_id text collate "C" not null references videos on delete cascade,
  day date not null,
  playbacks integer not null,
  watched_seconds double precision not null,
  retention integer[] not null,
  sources jsonb not null,
  captions jsonb not null,
  qualities jsonb not null
);
create index pending_playbacks_video_id on pending_playbacks (video_id);

create table daily_playbacks (
  video_id text collate "C" not null references videos on delete cascade,
  day date not null,
  playbacks integer not null,
  watched_seconds double precision not null,
  -- playbacks that showed each hundredth of the video
  retention integer[] not null,
  -- playbacks by where their viewers came from
  sources jsonb not null,
  -- seconds by language
  captions jsonb not null,
  -- seconds by pixels of the shorter side
  qualities jsonb not null,
  primary key (video_id, day)
);
