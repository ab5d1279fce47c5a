-- Replies, edits, pins, hearts and comments that wait for approval. A deleted comment stays for a while, so that its
-- deletion can be undone.
alter table comments
  add column parent_id text collate "C" references comments on delete cascade,
  add column replies_count integer not null default 0,
  -- usernames that exist among the @names of the text
  add column mentions text[] not null default '{}',
  add column edited_at timestamptz(3),
  add column is_pinned boolean not null default false,
  add column is_hearted boolean not null default false,
  add column is_held boolean not null default false,
  add column deleted_at timestamptz(3),
  add column deleted_by text collate "C";

create index comments_threads on comments (video_id, created_at desc, id desc)
  where parent_id is null and not is_held and deleted_at is null;
create index comments_top on comments (video_id, likes_count desc, created_at desc, id desc)
  where parent_id is null and not is_held and deleted_at is null;
create index comments_replies on comments (parent_id, created_at, id) where parent_id is not null;
create index comments_held on comments (video_id, created_at desc, id desc) where is_held and deleted_at is null;
create unique index comments_pinned on comments (video_id) where is_pinned;
create index comments_deleted_at on comments (deleted_at) where deleted_at is not null;
create index comments_video_id on comments (video_id);
drop index comments_newest;

-- Keeps the number of published replies of a comment, whatever changes them.
create function count_replies() returns trigger language plpgsql as $$
declare
  thread text := coalesce(new.parent_id, old.parent_id);
  before boolean := old.parent_id is not null and not old.is_held and old.deleted_at is null;
  after boolean := new.parent_id is not null and not new.is_held and new.deleted_at is null;
begin
  if before <> after then
    update comments set replies_count = replies_count + after::integer - before::integer where id = thread;
  end if;
  return null;
end $$;
create trigger count_added_reply after insert on comments for each row
  when (new.parent_id is not null) execute function count_replies();
create trigger count_changed_reply after update of is_held, deleted_at on comments for each row
  when (new.parent_id is not null) execute function count_replies();
create trigger count_deleted_reply after delete on comments for each row
  when (old.parent_id is not null) execute function count_replies();

alter table videos add column comments_held boolean not null default false;
drop trigger notify_video_details on videos;
create trigger notify_video_details after update of title, description, takedown_reason, visibility, tags, category,
  language, licence, comments_allowed, comments_held, downloads_allowed on videos
  for each statement execute function notify_any_change();
