-- Published only because the owner of the video approved it, or an earlier comment of its author: the comment shows
-- nothing about the author on other channels.
alter table comments add column is_approved_by_owner boolean not null default false;
-- The queue of moderators.
create index comments_all_held on comments (created_at desc, id desc) where is_held and deleted_at is null;
