-- How many videos a channel shows, without reading each of them. For ten million videos it takes about a minute.
create index videos_owner_visibility on videos (owner_id, visibility, held_visibility, id) where takedown_reason is null;
