-- Hashes of the single-use codes in links that are sent by mail.
create table mail_codes (
  code_hash bytea primary key,
  user_id text collate "C" not null references users on delete cascade,
  purpose text not null,
  expires_at timestamptz(3) not null
);
create index mail_codes_user_id on mail_codes (user_id);
