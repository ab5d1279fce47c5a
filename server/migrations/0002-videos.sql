-- Playable videos. A row is inserted once the source is durable and inspected.
create table videos (
  id text collate "C" primary key,
  owner_id text collate "C" not null references users on delete cascade,
  title text not null,
  description text not null,
  -- id of a picture
  thumbnail text not null,
  -- storage key of the uploaded file
  source_key text not null,
  size_bytes bigint not null,
  duration_seconds double precision not null,
  width integer not null,
  height integer not null,
  -- SourceInfo, the result of the inspection
  source jsonb not null,
  views bigint not null default 0,
  likes_count integer not null default 0,
  processing_state text not null default 'processing' check (processing_state in ('processing', 'ready', 'failed')),
  processing_progress real not null default 0,
  processing_reason text,
  has_storyboard boolean not null default false,
  created_at timestamptz(3) not null default now()
);
create index videos_newest on videos (created_at desc, id desc);
create index videos_owner_newest on videos (owner_id, created_at desc, id desc);

-- Views are appended here and folded into videos.views, so that no viewer waits for a popular row.
create table pending_views (
  video_id text collate "C" not null references videos on delete cascade,
  viewed_at timestamptz(3) not null default now()
);
create index pending_views_video_id on pending_views (video_id);

create table daily_views (
  video_id text collate "C" not null references videos on delete cascade,
  day date not null,
  views integer not null,
  primary key (video_id, day)
);
