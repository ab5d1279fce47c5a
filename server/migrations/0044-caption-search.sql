-- The words of captions, which searches for moments find. What follows 200,000 characters is not indexed.
create table caption_search (
  captions_id text collate "C" primary key references captions on delete cascade,
  document tsvector not null
);
create index caption_search_document on caption_search using gin (document) with (fastupdate = off);

-- Words of WebVTT without its times and tags.
create function caption_words(content text) returns tsvector language plpgsql stable parallel safe as $$
begin
  return array_to_tsvector(search_words(left(normalize(
    regexp_replace(regexp_replace(content, '[^\n]*-->[^\n]*', ' ', 'g'), '<[^<>\n]*>', '', 'g'), nfkc
  ), 200000)));
exception when program_limit_exceeded then
  -- more than a megabyte of different words
  return '';
end $$;

create function index_changed_captions() returns trigger language plpgsql as $$
begin
  insert into caption_search (captions_id, document) values (new.id, caption_words(new.content))
  on conflict (captions_id) do update set document = excluded.document;
  return null;
end $$;
create trigger index_added_captions after insert on captions
  for each row execute function index_changed_captions();
create trigger index_updated_captions after update of content on captions
  for each row when (old.content is distinct from new.content) execute function index_changed_captions();

insert into caption_search (captions_id, document)
select id, caption_words(content) from captions
on conflict (captions_id) do nothing;
