-- Words are searched without marks that readers add and writers leave out: accents, the points of Hebrew, Arabic and Syriac, tone and stress
-- marks of Vedic texts and N'Ko, gemination of Ethiopic (combining classes 1, 10 to 36 and 200 to 240). Dependent vowels, nuktas, viramas
-- and tones of Indic and Southeast Asian scripts are letters of their words, and stay (classes 0, 7 to 9, 84 to 132, and vowels of class 220 and 230).
--
-- Sorting a run of combining marks takes quadratic time, so runs are separated after 30 (UAX #15, Stream-Safe Text Format). U+034F is
-- itself a mark that is left out.
create function search_normalized(text text) returns text language sql immutable parallel safe as $$
  select normalize(regexp_replace(text, '([\u0300-\u036f\u0483-\u0489\u0591-\u10ff\u135d-\u1cff\u1dc0-\u1dff\u20d0-\u20f0\u2cef-\u2dff\u302a-\u302f\u3099\u309a\ua66f-\uabff\ufb1e\ufe20-\ufe2f\uff9e\uff9f\U000101fd-\U0001e94f]{30})', E'\\1\u034f', 'g'), nfkc)
$$;
create function search_folded(text text) returns text language sql stable parallel safe as $$
  select regexp_replace(lower(unaccent(search_normalized(text))), '[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07eb-\u07f3\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0898-\u089f\u08ca-\u08e1\u08e3-\u08ff\u0951-\u0954\u135d-\u135f\u1ab0-\u1aff\u1cd0-\u1cd2\u1cd4-\u1ce8\u1dc0-\u1dff\u20d0-\u20f0\u2cef-\u2cf1\u2de0-\u2dff\ua66f\ua674-\ua67d\ua69e\ua69f\ua8e0-\ua8f1\ufb1e\ufe20-\ufe2f]', '', 'g')
$$;

create or replace function search_words(text text) returns text[] language sql stable parallel safe as $$
  select coalesce(array_agg(left(coalesce(pair, word), case when word ~ '^[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]' then 200 else 60 end) order by position, at), '{}')
  from regexp_split_to_table(
    regexp_replace(
      regexp_replace(search_folded(text), '[''’ʼ]', '', 'g'),
      '([\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+)', ' \1 ', 'g'
    ), '[^[:alnum:]\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3]+'
  ) with ordinality split (word, position)
  left join lateral (
    select substr(word, at, 2) as pair, at from generate_series(1, length(word)) at
    where word ~ '^[\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]'
  ) pairs on true
  where word <> ''
$$;

create or replace function search_joined_words(text text) returns text[] language sql stable parallel safe as $$
  select coalesce(array_agg(joined), '{}') from (
    select regexp_replace(found[1], '[^[:alnum:]]', '', 'g') as joined
    from regexp_matches(search_folded(text), '[[:alnum:]]+(?:[.\-_‐‑][[:alnum:]]+)+', 'g') found
  ) words where length(joined) between 3 and 30
$$;

create or replace function caption_words(content text) returns tsvector language plpgsql stable parallel safe as $$
declare
  shown text := left(
    regexp_replace(regexp_replace(left(content, 2000000), '[^\n]*-->[^\n]*', ' ', 'g'), '<[^<>\n]*>', '', 'g'), 200000
  );
begin
  return array_to_tsvector(search_words(regexp_replace(left(search_normalized(shown), 200000), '\S{100}', '\& ', 'g')));
exception when program_limit_exceeded then
  -- more than a megabyte of different words
  return '';
end $$;

-- Videos, channels and captions with such marks are indexed again.
with found as (
  select v.id, v.visibility, search_vector(v.title, o.fullname || ' ' || o.username, v.description) as document
  from videos v join users o on o.id = v.owner_id join video_search s on s.video_id = v.id
  where v.title || v.description || o.fullname ~ '[\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07eb-\u07f3\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0898-\u089f\u08ca-\u08e1\u08e3-\u08ff\u0951-\u0954\u135d-\u135f\u1ab0-\u1aff\u1cd0-\u1cd2\u1cd4-\u1ce8\u1dc0-\u1dff\u20d0-\u20f0\u2cef-\u2cf1\u2de0-\u2dff\ua66f\ua674-\ua67d\ua69e\ua69f\ua8e0-\ua8f1\ufb1e\ufe20-\ufe2f]'
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

update channel_search set document = search_vector('', u.fullname || ' ' || u.username, '')
from users u where u.id = user_id and u.fullname ~ '[\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07eb-\u07f3\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0898-\u089f\u08ca-\u08e1\u08e3-\u08ff\u0951-\u0954\u135d-\u135f\u1ab0-\u1aff\u1cd0-\u1cd2\u1cd4-\u1ce8\u1dc0-\u1dff\u20d0-\u20f0\u2cef-\u2cf1\u2de0-\u2dff\ua66f\ua674-\ua67d\ua69e\ua69f\ua8e0-\ua8f1\ufb1e\ufe20-\ufe2f]';

update caption_search set document = caption_words(c.content)
from captions c where c.id = captions_id and c.content ~ '[\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07eb-\u07f3\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0898-\u089f\u08ca-\u08e1\u08e3-\u08ff\u0951-\u0954\u135d-\u135f\u1ab0-\u1aff\u1cd0-\u1cd2\u1cd4-\u1ce8\u1dc0-\u1dff\u20d0-\u20f0\u2cef-\u2cf1\u2de0-\u2dff\ua66f\ua674-\ua67d\ua69e\ua69f\ua8e0-\ua8f1\ufb1e\ufe20-\ufe2f]';

-- A job reads the captions of these files again.
delete from file_captions where content ~ '[\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07eb-\u07f3\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0898-\u089f\u08ca-\u08e1\u08e3-\u08ff\u0951-\u0954\u135d-\u135f\u1ab0-\u1aff\u1cd0-\u1cd2\u1cd4-\u1ce8\u1dc0-\u1dff\u20d0-\u20f0\u2cef-\u2cf1\u2de0-\u2dff\ua66f\ua674-\ua67d\ua69e\ua69f\ua8e0-\ua8f1\ufb1e\ufe20-\ufe2f]';
