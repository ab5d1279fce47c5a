-- Texts of resumable uploads that are not published yet. A draft is valid while its upload exists, which may be outside of
-- the database; a job deletes old ones.
create table upload_drafts (
  upload_id text collate "C" primary key,
  owner_id text collate "C" not null references users (id) on delete cascade,
  title text not null,
  description text not null,
  visibility text not null,
  updated_at timestamptz(3) not null
);

create index upload_drafts_owner on upload_drafts (owner_id);
