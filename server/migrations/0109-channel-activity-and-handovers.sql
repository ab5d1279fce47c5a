create table channel_activity (
  id bigint generated always as identity primary key,
  channel_id text collate "C" not null references users on delete cascade,
  actor_id text collate "C" references users on delete set null,
  action text not null,
  video_id text collate "C",
  subject text not null,
  happened_at timestamp(3) with time zone not null
);
comment on table channel_activity is 'Activity of the people of a channel on which several work. A job deletes old rows.';
comment on column channel_activity.video_id is 'Of a video that may be deleted already.';
comment on column channel_activity.subject is 'Title of the video, or username of the person, as it was.';
create index channel_activity_newest on channel_activity (channel_id, happened_at desc, id desc);
create index channel_activity_actor on channel_activity (actor_id) where actor_id is not null;
create index channel_activity_happened on channel_activity using brin (happened_at);
create table handovers (
  id text collate "C" primary key,
  giver_id text collate "C" not null references users on delete cascade,
  receiver_id text collate "C" not null references users on delete cascade,
  video_id text collate "C" references videos on delete cascade,
  created_at timestamp(3) with time zone not null,
  check (giver_id <> receiver_id)
);
comment on table handovers is 'Offers to give a video, or all videos, to another account, until they are accepted, declined or withdrawn.';
comment on column handovers.video_id is 'Null for all videos of the giver.';
create unique index handovers_of_video on handovers (video_id) where video_id is not null;
create unique index handovers_of_all on handovers (giver_id) where video_id is null;
create index handovers_giver on handovers (giver_id);
create index handovers_receiver on handovers (receiver_id);

-- what belongs to the owner of a video follows it
create function give_video() returns trigger language plpgsql as $$
begin
  update channel_profiles set pinned_video_id = null where user_id = old.owner_id and pinned_video_id = new.id;
  update reports set owner_id = new.owner_id where kind = 'video' and subject_id = new.id and decision is null;
  delete from handovers where video_id = new.id;
  return null;
end $$;
create trigger give_video after update of owner_id on videos for each row
  when (old.owner_id <> new.owner_id) execute function give_video();
create trigger index_given_video after update of owner_id on videos for each row
  when (old.owner_id <> new.owner_id and new.takedown_reason is null and new.visibility in ('public', 'members'))
  execute function index_changed_video();

alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (kind in (
  'video', 'comment', 'subscriber', 'processing', 'reply', 'mention', 'report', 'moderation', 'sign_in', 'webhook', 'to_decide',
  'collaboration', 'handover'
)) not valid;
