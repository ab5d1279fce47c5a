-- Identifies the file that has replaced the first one of a video. Addresses and storage keys of segments contain it, because
-- caches keep them for a year.
alter table videos add column replacement text;
