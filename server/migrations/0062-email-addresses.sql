-- Addresses whose owners have opened a link in a mail. One counts while the account has the same address.
create table confirmed_emails (
  user_id text collate "C" primary key references users on delete cascade,
  email text not null,
  confirmed_at timestamptz(3) not null default now()
);

-- Changes of addresses on sites that send mail: pending until the new address is confirmed.
create table email_changes (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  old_email text not null,
  email text not null,
  created_at timestamptz(3) not null default now(),
  confirmed_at timestamptz(3)
);
create index email_changes_user_id on email_changes (user_id);
create unique index email_changes_pending on email_changes (user_id) where confirmed_at is null;

-- the address that a mail went to
alter table mail_codes add column email text;
