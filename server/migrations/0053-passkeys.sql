-- Public keys with which people sign in (WebAuthn), and the challenges that wait for a signature.
create table passkeys (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  public_key bytea not null,
  counter bigint not null,
  name text not null,
  created_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index passkeys_user_id on passkeys (user_id);

create table passkey_challenges (
  challenge text collate "C" primary key,
  -- null for a sign-in
  user_id text collate "C" references users on delete cascade,
  expires_at timestamptz(3) not null
);
create index passkey_challenges_user_id on passkey_challenges (user_id) where user_id is not null;
