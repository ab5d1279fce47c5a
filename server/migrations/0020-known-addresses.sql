-- Addresses from which an account has signed in. Failed logins from other addresses do not lock out these. Hashed with
-- the site's secret and deleted after 90 days.
create table known_addresses (
  user_id text collate "C" not null references users (id) on delete cascade,
  address_hash bytea not null,
  seen_at timestamptz(3) not null,
  primary key (user_id, address_hash)
);

-- A random secret with which addresses and names are hashed before they are stored. The first process that needs it
-- creates it; a backup contains it.
create table site_secret (
  is_only boolean primary key default true check (is_only),
  secret bytea not null
);

-- existing keys are not hashed; their windows end soon
delete from rate_limits;
