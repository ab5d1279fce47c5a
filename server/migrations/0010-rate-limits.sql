-- What was taken of a limit in the present window. Losing it in a crash costs nobody anything, so it is not logged.
create unlogged table rate_limits (
  key text primary key,
  window_ends_at timestamptz(3) not null,
  taken integer not null
);
create index rate_limits_window_ends_at on rate_limits (window_ends_at);
