-- Metadata of videos that their owners enter.
alter table videos
  add column tags text[] not null default '{}' check (cardinality(tags) <= 15),
  add column category text,
  add column language text,
  add column licence text,
  add column comments_allowed boolean not null default true,
  add column downloads_allowed boolean not null default false,
  -- uploaded as private or scheduled: counts as new from its publication on
  add column awaits_publication boolean not null default false;

-- Tags of a video: its own, and the #tags of its description.
create function video_tags(tags text[], description text) returns text[] language sql immutable parallel safe as $$
  select tags || array(
    select lower(found[1]) from regexp_matches(
      description, '(?<![[:alnum:]_&/#])#(?=[0-9_-]*[[:alpha:]])([[:alnum:]_]+(?:-[[:alnum:]_]+)*)', 'g'
    ) found where length(found[1]) <= 50
  )
$$;

create index videos_tags on videos using gin (video_tags(tags, description))
  where takedown_reason is null and visibility in ('public', 'members');
create index videos_category on videos (category, created_at desc, id desc)
  where takedown_reason is null and visibility in ('public', 'members') and category is not null;

drop trigger tell_of_texts on videos;
create trigger tell_of_texts after update of title, description, takedown_reason, visibility, tags, category, language,
  licence, comments_allowed, downloads_allowed on videos
  for each statement execute function tell_of_everything();
