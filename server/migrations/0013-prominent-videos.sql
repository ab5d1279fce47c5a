-- Words that very many videos have are looked for among the prominent ones only, through indexes that hold nothing else.
-- A new video is prominent; which others are is decided every hour.
alter table video_search add column is_prominent boolean not null default false;
alter table video_search alter column is_prominent set default true;

create index video_search_prominent on video_search using gin (document) where is_prominent;
create index video_search_prominent_titles on video_search using gin (ts_filter(head, '{a}')) where is_prominent;

-- Words that end alike: two mistakes at the beginning leave the end.
create index search_vocabulary_endings on search_vocabulary (reverse(word));
