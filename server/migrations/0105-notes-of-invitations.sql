-- whom a link is for, as those who manage invitations wrote it
alter table invitations add column note text not null default '';
comment on column invitations.note is 'Text of moderators about whom it is for.';
