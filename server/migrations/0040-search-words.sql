-- Words of Thai, Lao, Burmese and Khmer are not separated by spaces: a run of these letters is one long word, and its
-- parts are found. Pairs of Chinese and Japanese letters include iteration marks (々).
create or replace function search_words(text text) returns text[] language sql stable parallel safe as $$
  select coalesce(array_agg(left(coalesce(pair, word), case when word ~ '^[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]' then 200 else 60 end) order by position, at), '{}')
  from regexp_split_to_table(
    regexp_replace(
      regexp_replace(lower(unaccent(normalize(text, nfkc))), '[''’ʼ\u0300-\u036f]', '', 'g'),
      '([\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+)', ' \1 ', 'g'
    ), '[^[:alnum:]\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3]+'
  ) with ordinality split (word, position)
  left join lateral (
    select substr(word, at, 2) as pair, at from generate_series(1, length(word)) at
    where word ~ '^[\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]'
  ) pairs on true
  where word <> ''
$$;

-- "Node.js" and "Wi-Fi" as "nodejs" and "wifi".
create function search_joined_words(text text) returns text[] language sql stable parallel safe as $$
  select coalesce(array_agg(joined), '{}') from (
    select regexp_replace(found[1], '[^[:alnum:]]', '', 'g') as joined
    from regexp_matches(lower(unaccent(normalize(text, nfkc))), '[[:alnum:]]+(?:[.\-_‐‑][[:alnum:]]+)+', 'g') found
  ) words where length(joined) between 3 and 30
$$;

create or replace function search_vector(title text, owner text, description text) returns tsvector
language sql stable parallel safe as $$
  select coalesce(string_agg(word || ':' || marks, ' '), '')::tsvector from (
    select word, string_agg(mark, ',') as marks from (
      select unnest(search_words(title) || search_joined_words(title)) as word, '1A' as mark
      union select unnest(search_words(owner) || search_joined_words(owner)), '2B'
      union select unnest(search_words(description)), '3C'
    ) marked group by word
  ) words
$$;

-- Like search_endings, for the runs above: also long ones, and parts of two letters.
create function search_run_endings(word text) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array(select substr(word, at) from generate_series(1, length(word) - 1) at))
$$;
create index search_vocabulary_runs on search_vocabulary using gin (search_run_endings(word))
  where word >= U&'\0e00' and word < U&'\1800' and length(word) > 1;

-- Videos with such words are indexed again.
with found as (
  select v.id, v.visibility, search_vector(v.title, o.fullname || ' ' || o.username, v.description) as document
  from videos v join users o on o.id = v.owner_id join video_search s on s.video_id = v.id
  where v.title ~ '[[:alnum:]][.\-_‐‑][[:alnum:]]' or o.fullname ~ '[[:alnum:]][.\-_‐‑][[:alnum:]]'
    or v.title || ' ' || v.description || o.fullname ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff々]'
), changed as (
  update video_search set document = found.document, head = ts_filter(found.document, '{a,b}')
  from found where video_id = found.id returning video_id
)
insert into search_vocabulary (word, variants)
select word, search_variants(word) from (
  select distinct unnest(tsvector_to_array(found.document)) as word from found join changed on video_id = found.id
  where found.visibility = 'public'
) words order by word
on conflict (word) do nothing;
