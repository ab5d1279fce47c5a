-- Approximate time of the last use of a session. The least recently used session of an account ends first.
alter table sessions add column used_at timestamptz not null default now();
