-- People whose videos and comments a user does not see. Blocked ones cannot comment to the user either.
create table muted_people (
  user_id text collate "C" not null references users on delete cascade,
  person_id text collate "C" not null references users on delete cascade,
  is_blocked boolean not null,
  muted_at timestamptz(3) not null default now(),
  primary key (user_id, person_id)
);
create index muted_people_person_id on muted_people (person_id);
