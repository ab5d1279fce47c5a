-- What administrators set for the site: its name, colour, texts, and who may register.
create table site_settings (
  name text collate "C" primary key,
  value jsonb not null
);
