-- Words of the full name and username of each channel, which suggestions and searches find by their beginnings.
create table channel_search (
  user_id text collate "C" primary key references users on delete cascade,
  document tsvector not null
);
create index channel_search_document on channel_search using gin (document) with (fastupdate = off);

create function index_changed_channel() returns trigger language plpgsql as $$
begin
  insert into channel_search (user_id, document)
  values (new.id, search_vector('', new.fullname || ' ' || new.username, ''))
  on conflict (user_id) do update set document = excluded.document;
  return null;
end $$;

create trigger index_inserted_channel after insert on users
  for each row execute function index_changed_channel();
create trigger index_renamed_channel after update of fullname, username on users
  for each row when (old.fullname is distinct from new.fullname or old.username is distinct from new.username)
  execute function index_changed_channel();

insert into channel_search (user_id, document)
select id, search_vector('', fullname || ' ' || username, '') from users
on conflict (user_id) do nothing;
