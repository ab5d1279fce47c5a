-- a video that was given to another account proves nothing about its new owner, and stays proof for the account that published it
create table given_videos (
  video_id text collate "C" not null references videos on delete cascade,
  giver_id text collate "C" references users on delete set null,
  receiver_id text collate "C" references users on delete set null,
  given_at timestamp(3) with time zone not null,
  counts_for_giver boolean not null,
  is_moving boolean not null
);
comment on table given_videos is 'Videos that were given to another account, one row for each time.';
comment on column given_videos.counts_for_giver is 'Whether the giver has published the video: it counts for nobody else.';
comment on column given_videos.is_moving is 'Whether the video waits to change its owner: a job moves large channels in batches.';
create index given_videos_video on given_videos (video_id);
create index given_videos_giver on given_videos (giver_id) where giver_id is not null;
create index given_videos_receiver on given_videos (receiver_id) where receiver_id is not null;
create index given_videos_moving on given_videos (giver_id, receiver_id, video_id) where is_moving;
