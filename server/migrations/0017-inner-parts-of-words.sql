-- Endings of a word from its second letter on. Every part of a word is a prefix of one of them.
create function search_endings(word text) returns tsvector language sql immutable parallel safe as $$
  select case when length(word) between 4 and 30 then array_to_tsvector(
    array(select substr(word, at) from generate_series(2, length(word) - 2) at)
  ) else '' end
$$;

create index search_vocabulary_inner_parts on search_vocabulary using gin (search_endings(word));
