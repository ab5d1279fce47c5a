-- When an account that its holder deleted is removed, on sites that wait some days. It is suspended until then.
alter table users add column deletes_at timestamptz(3);

create index users_deletes_at on users (deletes_at) where deletes_at is not null;
