-- Hash of the secret in the link that sets up an empty site. The last start of the empty site has printed the link.
create table setup_token (
  only_row boolean primary key default true check (only_row),
  token_hash bytea not null
);

-- With the first administrator, however made, the link of the terminal ends.
create function delete_setup_token() returns trigger language plpgsql as $$
begin
  delete from setup_token;
  return null;
end $$;
create trigger delete_setup_token after insert or update of role on users
  for each row when (new.role = 'administrator') execute function delete_setup_token();
