-- Groups of followed channels, which filter the feed of their owner.
create table channel_groups (
  id text collate "C" primary key,
  owner_id text collate "C" not null references users on delete cascade,
  name text not null,
  created_at timestamptz(3) not null default now()
);
create index channel_groups_owner_id on channel_groups (owner_id);

create table channel_group_members (
  group_id text collate "C" not null references channel_groups on delete cascade,
  channel_id text collate "C" not null references users on delete cascade,
  primary key (group_id, channel_id)
);
create index channel_group_members_channel_id on channel_group_members (channel_id);
