-- Addresses from which an account has signed in: failures of others never keep its owner out there. Hashed with the
-- site's secret, and forgotten after 90 days.
create table known_addresses (
  user_id text collate "C" not null references users (id) on delete cascade,
  address_hash bytea not null,
  seen_at timestamptz(3) not null,
  primary key (user_id, address_hash)
);

-- One random value that never leaves the database and its processes: with it, what people type and where they come from
-- is hashed before it is stored. Made by the first process that needs it, so that a restored site keeps its own.
create table site_secret (
  is_only boolean primary key default true check (is_only),
  secret bytea not null
);

-- keys in clear, of windows that are soon over
delete from rate_limits;
