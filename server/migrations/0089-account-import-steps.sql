create table account_import_steps (
  user_id text collate "C" not null references account_imports on delete cascade,
  name_hash text collate "C" not null,
  primary key (user_id, name_hash)
);
comment on table account_import_steps is 'Parts of the last import of an account that are done: a repeated run skips them.';
comment on column account_import_steps.name_hash is 'SHA-256 of the name of the part, in base64url.';
