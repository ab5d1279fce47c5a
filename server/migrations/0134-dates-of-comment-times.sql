-- correcting a typo leaves the times of a comment at the pictures they were written for
alter table comments add column time_dates jsonb;
comment on column comments.time_dates is
  'When the times of the text, in seconds, were written that it had before the last edit. A cut moves times written before it.';
