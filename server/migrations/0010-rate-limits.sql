-- Calls within the current window of a rate limit. Unlogged: counts may be lost in a crash.
create unlogged table rate_limits (
  key text primary key,
  window_ends_at timestamptz(3) not null,
  taken integer not null
);
create index rate_limits_window_ends_at on rate_limits (window_ends_at);
