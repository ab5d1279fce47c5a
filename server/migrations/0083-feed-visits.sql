-- When a member last saw the feed: videos since then have a dot.
create table feed_visits (
  user_id text primary key references users (id) on delete cascade,
  seen_at timestamptz not null
);
