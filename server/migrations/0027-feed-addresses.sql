-- Secret feed URLs of users. The token is not hashed, because its owner can display it again. It gives access to a list
-- of videos only, and its owner can replace it.
create table feed_addresses (
  user_id text collate "C" primary key references users on delete cascade,
  token text collate "C" not null unique,
  created_at timestamptz(3) not null default now()
);
