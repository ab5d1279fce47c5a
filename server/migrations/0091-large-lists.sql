-- Lists and counts that read every video or account. For ten million videos each of the indexes of videos takes about a minute.

-- what moderators have to decide, and whom they look after
create index videos_taken_down on videos (created_at desc, id desc) where takedown_reason is not null;
create index users_suspended on users (created_at desc, id desc) where suspended_at is not null;
create index users_waiting on users (created_at desc, id desc) where awaits_approval;
create index users_staff on users (created_at desc, id desc) where role <> 'member';

-- the largest videos
create index videos_size on videos (size_bytes desc, id);
