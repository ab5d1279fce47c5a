-- Concurrent views of a video are one row, so that a popular video needs few rows.
alter table pending_views add column views integer not null default 1;
