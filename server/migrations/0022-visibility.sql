-- Visibility of a video: public, unlisted (everybody with its address), members (signed-in users), private (its owner
-- and named users), or scheduled (private until its publication).
alter table videos
  add column visibility text not null default 'public'
    check (visibility in ('public', 'unlisted', 'members', 'private', 'scheduled')),
  add column publish_at timestamptz(3),
  add constraint videos_publish_at_check check ((visibility = 'scheduled') = (publish_at is not null));

-- Users who may watch a private video.
create table video_viewers (
  video_id text collate "C" not null references videos (id) on delete cascade,
  user_id text collate "C" not null references users (id) on delete cascade,
  primary key (video_id, user_id)
);
create index video_viewers_user_id on video_viewers (user_id);

-- A partial index per kind of list, so that lists skip no rows.
create index videos_newest_public on videos (created_at desc, id desc)
  where takedown_reason is null and visibility = 'public';
create index videos_newest_members on videos (created_at desc, id desc)
  where takedown_reason is null and visibility in ('public', 'members');
create index videos_scheduled on videos (publish_at) where visibility = 'scheduled';
-- Requests for pictures look up the video by its thumbnail.
create index videos_hidden on videos (thumbnail)
  where takedown_reason is not null or visibility in ('members', 'private', 'scheduled');
drop index videos_taken_down;

-- The search index has the videos of lists; those for members are marked.
alter table video_search add column is_public boolean not null default true;

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
  perform learn_words(found);
  return null;
end $$;

drop trigger index_inserted_video on videos;
create trigger index_inserted_video after insert on videos for each row
  when (new.takedown_reason is null and new.visibility in ('public', 'members'))
  execute function index_changed_video();

drop trigger index_updated_video on videos;
drop trigger index_reinstated_video on videos;
create trigger index_updated_video
  after update of title, description, takedown_reason, visibility, created_at on videos for each row
  when (
    new.takedown_reason is null and new.visibility in ('public', 'members') and (
      old.title <> new.title or old.description <> new.description or old.takedown_reason is not null
      or old.visibility <> new.visibility or old.created_at <> new.created_at
    )
  )
  execute function index_changed_video();

drop trigger unindex_taken_down_video on videos;
create trigger unindex_hidden_video after update of takedown_reason, visibility on videos for each row
  when (new.takedown_reason is not null or new.visibility not in ('public', 'members'))
  execute function unindex_video();

drop trigger tell_of_texts on videos;
create trigger tell_of_texts after update of title, description, takedown_reason, visibility on videos
  for each statement execute function tell_of_everything();
