-- Addresses to which events are sent, and the last deliveries of each.
create table webhooks (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  -- events of everybody, while the owner is an administrator
  is_site boolean not null,
  url text not null,
  -- the key of signatures, so it cannot be a hash
  secret text not null,
  events text[] not null,
  failures integer not null default 0,
  paused_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index webhooks_user_id on webhooks (user_id);
create index webhooks_site on webhooks (id) where is_site;

create table webhook_deliveries (
  id text collate "C" primary key,
  webhook_id text collate "C" not null references webhooks on delete cascade,
  event text not null,
  subject_id text not null,
  data jsonb not null,
  created_at timestamptz(3) not null default now(),
  -- null once it was delivered or given up; new ones are due at once
  next_attempt_at timestamptz(3) default 'epoch',
  attempts integer not null default 0,
  is_delivered boolean not null default false,
  status integer,
  problem text,
  duration_ms integer
);
create index webhook_deliveries_webhook_id on webhook_deliveries (webhook_id, created_at desc);
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where next_attempt_at is not null;
-- a video that is hidden and shown again is published once
create unique index webhook_deliveries_published on webhook_deliveries (webhook_id, subject_id) where event = 'video.published';
