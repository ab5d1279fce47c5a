-- Accounts that moderators have not let in yet; they are suspended until then.
alter table users add column awaits_approval boolean not null default false;

-- Links with which people register. An account names the one it came with.
create table invitations (
  id text collate "C" primary key,
  created_by text collate "C" references users on delete set null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  max_uses integer not null check (max_uses > 0),
  uses integer not null default 0
);
create index invitations_created_by on invitations (created_by) where created_by is not null;
alter table users add column invitation_id text collate "C" references invitations on delete set null;
create index users_invitation_id on users (invitation_id) where invitation_id is not null;
