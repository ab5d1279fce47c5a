-- A new password ends a pending change of address, which somebody else may have asked for.
create function delete_pending_email_change() returns trigger language plpgsql as $$
begin
  delete from email_changes where user_id = new.id and confirmed_at is null;
  return null;
end $$;
create trigger delete_pending_email_change after update of password_hash on users
  for each row when (old.password_hash is distinct from new.password_hash)
  execute function delete_pending_email_change();
