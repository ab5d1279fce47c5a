alter table users add column role text not null default 'member'
  constraint users_role_check check (role in ('member', 'moderator', 'administrator'));

-- What moderators and administrators did. Names are kept as they were: an entry outlives the account that it is about.
create table audit_log (
  id bigint generated always as identity primary key,
  happened_at timestamptz(3) not null,
  actor text not null,
  action text not null,
  subject text not null,
  details text
);
