-- Caches are cleared by the process that writes. Other processes read again after a second, so nothing has to notify them.
-- Processes of the previous version do so, too: each of their cached responses expires after a second.

drop trigger notify_videos on videos;
drop trigger notify_video_details on videos;
drop trigger notify_updated_videos on videos;
drop trigger notify_user_names on users;
drop trigger notify_updated_users on users;
drop trigger notify_added_comments on comments;
drop trigger notify_deleted_comments on comments;
drop trigger notify_updated_comments on comments;
drop trigger notify_added_captions on captions;
drop trigger notify_deleted_captions on captions;
drop trigger notify_updated_captions on captions;
drop trigger notify_added_views on pending_views;

-- called by triggers only
drop function notify_any_change();
-- called by triggers only
drop function notify_changed_rows();
-- called by triggers only
drop function notify_changed_comments();
-- called by triggers only
drop function notify_changed_captions();
-- called by triggers only
drop function notify_views();
-- called by triggers only
drop function notify_changed(text[]);
