create table hidden_accounts (
  user_id text collate "C" primary key references users (id) on delete cascade,
  cause text check (cause in ('leaving', 'suspension'))
);
comment on table hidden_accounts is 'Accounts whose videos and comments are being hidden or shown again: a job does that in batches.';
comment on column hidden_accounts.cause is 'Null for those that are shown again.';
