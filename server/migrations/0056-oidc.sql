-- Accounts at identity providers with which people sign in (OpenID Connect), and requests that wait for their response.
create table oidc_identities (
  issuer text collate "C" not null,
  subject text collate "C" not null,
  user_id text collate "C" not null references users on delete cascade,
  created_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (issuer, subject),
  unique (user_id, issuer)
);

create table oidc_requests (
  state_hash bytea primary key,
  -- of the cookie: only the browser that began may finish
  browser_hash bytea not null,
  issuer text collate "C" not null,
  nonce text not null,
  code_verifier text not null,
  -- who links an account; null for a sign-in
  user_id text collate "C" references users on delete cascade,
  invitation text not null,
  expires_at timestamptz(3) not null
);
create index oidc_requests_user_id on oidc_requests (user_id) where user_id is not null;

-- false for accounts that a provider created, until they set a password
alter table users add has_password boolean not null default true;
