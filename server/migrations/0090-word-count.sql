create table word_count (
  only_row boolean primary key default true check (only_row),
  counted_at timestamptz(3) not null
);
comment on table word_count is 'When the words of searches were last counted.';
