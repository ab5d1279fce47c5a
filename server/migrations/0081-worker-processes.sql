-- The workers that run. Each updates its row every 15 seconds, and deletes it when it stops.
create table worker_processes (
  id text collate "C" primary key,
  started_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  -- since its start, with that of its finished programs such as ffmpeg
  cpu_seconds double precision not null
);
