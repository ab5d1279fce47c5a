-- repeated for videos that changed hands while 0133 ran
update clips c set channel_id = v.owner_id from videos v
where v.id = c.video_id and c.channel_id is distinct from v.owner_id;
