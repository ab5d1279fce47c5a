-- Secret addresses at which feed readers find the feed of a person. The token is shown again to its owner, so it is
-- stored as it is: it opens a list of videos and nothing else, and its owner replaces it at any time.
create table feed_addresses (
  user_id text collate "C" primary key references users on delete cascade,
  token text collate "C" not null unique,
  created_at timestamptz(3) not null default now()
);
