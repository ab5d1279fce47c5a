-- Authenticator apps (RFC 6238). A secret counts once a first code of it has confirmed it.
create table second_factors (
  user_id text collate "C" primary key references users on delete cascade,
  secret text not null,
  is_confirmed boolean not null default false,
  -- of the last code that was accepted: none works twice
  last_step bigint not null default 0
);

create table recovery_codes (
  user_id text collate "C" not null references users on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);
