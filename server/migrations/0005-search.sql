-- Normalized words of a text: lower case, without accents and apostrophes, split at everything but letters and digits.
-- Scripts without spaces between words are split into pairs of letters, and the last letter.
create function search_words(text text) returns text[] language sql stable parallel safe as $$
  select coalesce(array_agg(left(coalesce(pair, word), 60) order by position, at), '{}')
  from regexp_split_to_table(
    regexp_replace(
      regexp_replace(lower(unaccent(normalize(text, nfkc))), '[''’ʼ\u0300-\u036f]', '', 'g'),
      '([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+)', ' \1 ', 'g'
    ), '[^[:alnum:]]+'
  ) with ordinality split (word, position)
  left join lateral (
    select substr(word, at, 2) as pair, at from generate_series(1, length(word)) at
    where word ~ '^[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]'
  ) pairs on true
  where word <> ''
$$;

-- Variants of a word: itself, and the word without any one letter. Two words that differ by one typo share a variant.
create function search_variants(word text) returns text[] language sql immutable parallel safe as $$
  select case when word ~ '^[^0-9]{3,30}$' then array(
    select word union select overlay(word placing '' from at for 1) from generate_series(1, length(word)) at
  ) else '{}' end
$$;

-- Words with their weight: A in the title, B in the owner's name, C in the description.
create function search_vector(title text, owner text, description text) returns tsvector
language sql stable parallel safe as $$
  select coalesce(string_agg(word || ':' || marks, ' '), '')::tsvector from (
    select word, string_agg(mark, ',') as marks from (
      select unnest(search_words(title)) as word, '1A' as mark
      union select unnest(search_words(owner)), '2B'
      union select unnest(search_words(description)), '3C'
    ) marked group by word
  ) words
$$;

create table video_search (
  video_id text collate "C" primary key references videos on delete cascade,
  created_at timestamptz(3) not null,
  -- title and owner: short, so that ranking reads no long description
  head tsvector not null,
  document tsvector not null
);
create index video_search_document on video_search using gin (document) with (fastupdate = off);
create index video_search_newest on video_search (created_at desc, video_id desc);

-- Every word of every document, for beginnings of words and typing mistakes.
create table search_vocabulary (
  word text collate "C" primary key,
  variants text[] collate "C" not null,
  -- counted again every hour
  videos_count integer not null default 1
);
create index search_vocabulary_variants on search_vocabulary using gin (variants);

create function learn_words(document tsvector) returns void language sql as $$
  insert into search_vocabulary (word, variants)
  select found.word, search_variants(found.word) from unnest(tsvector_to_array(document)) found (word)
  where not exists (select from search_vocabulary known where known.word = found.word)
  -- in one order, so that two who learn the same words never wait for each other
  order by found.word
  on conflict (word) do nothing
$$;

create function index_changed_video() returns trigger language plpgsql as $$
declare
  owner text;
  found tsvector;
begin
  -- locked against being renamed at this moment
  select fullname || ' ' || username into owner from users where id = new.owner_id for share;
  found := search_vector(new.title, owner, new.description);
  insert into video_search (video_id, created_at, head, document)
  values (new.id, new.created_at, ts_filter(found, '{a,b}'), found)
  on conflict (video_id) do update set head = excluded.head, document = excluded.document;
  perform learn_words(found);
  return null;
end $$;

create function index_videos_of_changed_user() returns trigger language plpgsql as $$
declare
  name tsvector := search_vector('', new.fullname || ' ' || new.username, '');
begin
  update video_search set
    head = ts_filter(head, '{a}') || name,
    document = ts_filter(document, '{a,c}') || name
  from videos where videos.id = video_search.video_id and videos.owner_id = new.id;
  perform learn_words(name);
  return null;
end $$;

create trigger index_inserted_video after insert on videos
  for each row execute function index_changed_video();
create trigger index_updated_video after update of title, description on videos
  for each row when (old.title is distinct from new.title or old.description is distinct from new.description)
  execute function index_changed_video();
create trigger index_videos_of_updated_user after update of fullname, username on users
  for each row when (old.fullname is distinct from new.fullname or old.username is distinct from new.username)
  execute function index_videos_of_changed_user();
