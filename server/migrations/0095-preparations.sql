-- How often the preparation of a video began again: for another file, or because somebody asked. Tells its events apart.
alter table videos add preparation integer not null default 0;
