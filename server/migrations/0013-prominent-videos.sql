-- Very common words are searched among prominent videos only, by partial indexes. A new video is prominent; a job
-- selects the others every hour.
alter table video_search add column is_prominent boolean not null default false;
alter table video_search alter column is_prominent set default true;

create index video_search_prominent on video_search using gin (document) where is_prominent;
create index video_search_prominent_titles on video_search using gin (ts_filter(head, '{a}')) where is_prominent;

-- Words with equal endings: two typos at the beginning leave the ending.
create index search_vocabulary_endings on search_vocabulary (reverse(word));
