alter table videos add preparation integer not null default 0;
comment on column videos.preparation is
  'How often the preparation began again: for another file, or because somebody asked. Tells its events apart.';
