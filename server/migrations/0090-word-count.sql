-- When the words of the search were last counted.
create table word_count (
  only_row boolean primary key default true check (only_row),
  counted_at timestamptz(3) not null
);
