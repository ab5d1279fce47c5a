-- Which storage belongs to this database. The storage holds the same id in the object `site-id`, so that neither is ever
-- used with another one: the sweeps delete what no row of the database mentions.
create table site (
  only_row boolean primary key default true check (only_row),
  storage_id text not null
);
