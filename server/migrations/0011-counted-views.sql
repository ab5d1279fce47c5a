-- Views of one video that arrive together are one row: however many watch it, few rows are written, added up and folded.
alter table pending_views add column views integer not null default 1;
