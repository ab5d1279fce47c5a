alter table live_streams add column renditions text[] not null default '{}';
comment on column live_streams.renditions is 'Renditions that the machine encodes faster than the stream plays, as measured with its first part.';
