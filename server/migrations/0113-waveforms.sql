create table waveforms (
  video_id text collate "C" primary key references videos on delete cascade,
  source_key text not null,
  state text not null default 'waiting' check (state in ('waiting', 'ready', 'silent', 'failed')),
  interval_seconds real not null default 0,
  peaks bytea not null default ''
);
comment on table waveforms is 'Peaks of the sound of videos whose editors opened the cut editor: one byte for each interval.';
comment on column waveforms.source_key is 'The file that it shows: of another one, it counts as missing.';
