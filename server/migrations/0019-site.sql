-- The storage of this database. The storage holds the same id in the object `site-id`, so that neither is used with
-- another one: sweeps delete objects without a row in the database.
create table site (
  only_row boolean primary key default true check (only_row),
  storage_id text not null
);
