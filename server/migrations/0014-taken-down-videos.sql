-- Every start selects the few videos that are taken down.
create index videos_taken_down on videos (id) where takedown_reason is not null;
