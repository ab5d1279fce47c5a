-- When a session was last used, as far as it matters which of an account's sessions has been unused for longest.
alter table sessions add column used_at timestamptz not null default now();
