-- Tokens with which programs call the API for a person.
create table api_tokens (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  -- a token has 256 random bits, so its plain hash is as hard to guess
  token_hash bytea not null unique,
  name text not null,
  scopes text[] not null,
  created_at timestamptz(3) not null,
  -- null for a token that does not expire
  expires_at timestamptz(3),
  used_at timestamptz(3)
);
create index api_tokens_user_id on api_tokens (user_id);
