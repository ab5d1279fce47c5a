-- Accounts that do not exist yet: their email address has to be confirmed first. The id is that of the future account. Rows of
-- an address that an account has are stored as well, and never confirmed, so that a response does not tell the two apart.
create table registrations (
  id text collate "C" primary key,
  username text not null,
  email text not null,
  fullname text not null,
  password_hash text not null,
  avatar text collate "C" not null,
  cover_image text collate "C",
  created_at timestamptz(3) not null default now(),
  awaits_approval boolean not null,
  invitation_id text collate "C" references invitations on delete set null
);
create unique index registrations_username_key on registrations (lower(username));
create index registrations_email on registrations (lower(email));
create index registrations_created_at on registrations (created_at);
create index registrations_invitation_id on registrations (invitation_id) where invitation_id is not null;

-- a code belongs to an account or to a registration
alter table mail_codes alter column user_id drop not null;
alter table mail_codes add column registration_id text collate "C" references registrations on delete cascade;
create index mail_codes_registration_id on mail_codes (registration_id) where registration_id is not null;
