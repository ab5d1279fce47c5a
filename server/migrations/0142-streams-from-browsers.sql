alter table live_streams add column is_from_browser boolean not null default false;
comment on column live_streams.is_from_browser is 'Whether a browser sends it. Otherwise an encoder does.';
