-- Statements that read a whole table, which takes seconds on large sites.

-- the notifications of a hidden video
create index notifications_video_id on notifications (video_id) where video_id is not null;

-- whether a picture is used
create index videos_thumbnail on videos (thumbnail);
create index users_avatar on users (avatar);
create index users_cover_image on users (cover_image) where cover_image is not null;

-- the videos that are not prominent any more
create index video_search_are_prominent on video_search (video_id) where is_prominent;

-- lists of moderators, newest first
create index users_newest on users (created_at desc, id desc);
create index comments_newest on comments (created_at desc, id desc) where deleted_at is null;
create index videos_failed on videos (created_at) where processing_state = 'failed';
