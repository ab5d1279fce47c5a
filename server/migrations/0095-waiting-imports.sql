-- The upload that an import reads, perhaps days later: it is not stale until then. Null for imports of before.
alter table account_imports add column upload_id text collate "C";
