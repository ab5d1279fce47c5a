-- Accounts whose videos and comments are being hidden, or with a null cause shown again: a job does that in batches.
create table hidden_accounts (
  user_id text collate "C" primary key references users (id) on delete cascade,
  cause text check (cause in ('leaving', 'suspension'))
);
