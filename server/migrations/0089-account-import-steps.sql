-- The parts of the last import of an account that are done, by the SHA-256 of their names in base64url; a repeated run skips them.
-- `account_imports.steps` has those of imports that an earlier version began.
create table account_import_steps (
  user_id text collate "C" not null references account_imports on delete cascade,
  name_hash text collate "C" not null,
  primary key (user_id, name_hash)
);
