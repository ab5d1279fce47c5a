-- Captions of 2 MB without spaces took longer than a statement may. A run of 100 letters is split, which loses at most one
-- pair of Chinese letters in a hundred. No more is read than 200,000 characters of captions can need with their times.
create or replace function caption_words(content text) returns tsvector language plpgsql stable parallel safe as $$
declare
  shown text := left(
    regexp_replace(regexp_replace(left(content, 2000000), '[^\n]*-->[^\n]*', ' ', 'g'), '<[^<>\n]*>', '', 'g'), 200000
  );
begin
  return array_to_tsvector(search_words(regexp_replace(left(normalize(shown, nfkc), 200000), '\S{100}', '\& ', 'g')));
exception when program_limit_exceeded then
  -- more than a megabyte of different words
  return '';
end $$;
