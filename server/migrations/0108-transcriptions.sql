-- captions that the site writes itself, by recognizing speech
alter table captions add column is_automatic boolean not null default false;
comment on column captions.is_automatic is 'Recognized by the site; false once the owner has edited them.';

create table transcriptions (
  video_id text collate "C" primary key references videos on delete cascade,
  is_enabled boolean,
  state text not null default 'none'
    check (state in ('none', 'waiting', 'running', 'done', 'silent', 'skipped', 'failed')),
  requested_at timestamptz,
  language text,
  is_detected boolean not null default false,
  replacement text,
  progress real not null default 0,
  crashes int not null default 0,
  failure text,
  cause jsonb,
  seconds_recognized real not null default 0,
  seconds_taken real not null default 0,
  changed_at timestamptz not null default now()
);
comment on table transcriptions is 'State of the speech recognition of each video, and the choice of its owner.';
comment on column transcriptions.is_enabled is 'Null where the choice of the channel counts.';
comment on column transcriptions.requested_at is 'When the owner asked for it, whatever the policy of the site; else null.';
comment on column transcriptions.language is 'BCP 47: asked for, or detected.';
comment on column transcriptions.replacement is 'Of the video when it began: names the file.';
comment on column transcriptions.crashes is 'Failures that this file may have caused.';
create index transcriptions_open on transcriptions (requested_at) where state in ('waiting', 'running');

create table transcription_parts (
  video_id text collate "C" not null references transcriptions on delete cascade,
  from_seconds real not null,
  to_seconds real not null,
  words jsonb not null,
  primary key (video_id, from_seconds)
);
comment on table transcription_parts is 'Words that were recognized so far, so that a killed worker repeats one part at most.';

create table channel_transcriptions (
  user_id text collate "C" primary key references users on delete cascade,
  is_enabled boolean not null
);
comment on table channel_transcriptions is 'Whether videos of a channel get automatic captions. A missing row counts as yes.';
create index transcriptions_measured on transcriptions (changed_at) where seconds_recognized > 0;

create table speech_recognizers (
  id text collate "C" primary key,
  seen_at timestamptz not null default now()
);
comment on table speech_recognizers is 'When workers last could recognize speech, which web processes on other machines cannot see.';
