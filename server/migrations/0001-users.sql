create extension if not exists unaccent;

create table users (
  id text collate "C" primary key,
  username text not null,
  email text not null,
  fullname text not null,
  password_hash text not null,
  -- ids of pictures
  avatar text not null,
  cover_image text,
  subscribers_count integer not null default 0,
  subscribed_to_count integer not null default 0,
  created_at timestamptz(3) not null default now()
);
create unique index users_username_key on users (lower(username));
create unique index users_email_key on users (lower(email));

create table sessions (
  -- SHA-256 of the token in the cookie
  token_hash bytea primary key,
  user_id text collate "C" not null references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index sessions_user_id on sessions (user_id);
create index sessions_expires_at on sessions (expires_at);
