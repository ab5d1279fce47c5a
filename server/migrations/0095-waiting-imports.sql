alter table account_imports add column upload_id text collate "C";
comment on column account_imports.upload_id is
  'The upload that the import reads, perhaps days later: it is not stale until then. Null for imports of 0.2.0.';
