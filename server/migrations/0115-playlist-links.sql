-- links to playlists: each link is to one video or to one playlist
alter table share_links alter column video_id drop not null;
alter table share_links add column playlist_id text collate "C" references playlists (id) on delete cascade;
alter table share_links add constraint share_links_subject_check check (num_nonnulls(video_id, playlist_id) = 1);
create index share_links_playlist on share_links (playlist_id) where playlist_id is not null;
comment on table share_links is 'Links with which people without an account watch one video, or the videos of one playlist.';
