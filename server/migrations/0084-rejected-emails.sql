-- Addresses that the mail server refused for good. They count while the account has the same address.
create table rejected_emails (
  user_id text collate "C" primary key references users on delete cascade,
  email text not null,
  rejections int not null default 1
);
