-- The vocabulary of searches has words of public videos only, because corrections and completions reveal them.
create or replace function index_changed_video() returns trigger language plpgsql as $$
declare
  owner text;
  found tsvector;
begin
  -- locked against being renamed at this moment
  select fullname || ' ' || username into owner from users where id = new.owner_id for share;
  found := search_vector(new.title, owner, new.description);
  insert into video_search (video_id, created_at, head, document, is_public)
  values (new.id, new.created_at, ts_filter(found, '{a,b}'), found, new.visibility = 'public')
  on conflict (video_id) do update set created_at = excluded.created_at, head = excluded.head,
    document = excluded.document, is_public = excluded.is_public;
  if new.visibility = 'public' then perform learn_words(found); end if;
  return null;
end $$;

-- Removes words that no public video has any more. Common words wait until words are counted again.
create function forget_words(document tsvector) returns void language sql as $$
  with candidates as (
    select word from search_vocabulary
    where word = any(tsvector_to_array(document)) and word <> '' and videos_count <= 10
    -- waits for nobody, because those who learn words wait for this
    order by word for update skip locked
  )
  delete from search_vocabulary known using candidates
  where known.word = candidates.word and not exists (
    select from video_search v where v.is_public and v.document @@ array_to_tsvector(array[candidates.word])::text::tsquery
  )
$$;

-- Fires when a row of the index is deleted, or is no longer public.
create function forget_words_of_video() returns trigger language plpgsql as $$
begin
  perform forget_words(old.document);
  return null;
end $$;

create trigger forget_hidden_words after update of is_public on video_search for each row
  when (old.is_public and not new.is_public) execute function forget_words_of_video();

create or replace function unindex_video() returns trigger language plpgsql as $$
declare
  removed tsvector;
begin
  delete from video_search where video_id = new.id and is_public returning document into removed;
  delete from video_search where video_id = new.id;
  if removed is not null then perform forget_words(removed); end if;
  return null;
end $$;
