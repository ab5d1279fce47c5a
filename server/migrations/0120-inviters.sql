-- invitations by somebody who is removed end with the removal
alter table collaboration_invitations
  add column invited_by text collate "C" references users (id) on delete cascade;
comment on column collaboration_invitations.invited_by is 'Null for invitations of older versions.';
