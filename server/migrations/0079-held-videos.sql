-- Videos that wait for the approval of a moderator: what they become then. Until then they are private, or stay scheduled.
alter table videos
  add column held_visibility text check (held_visibility in ('public', 'unlisted', 'members', 'scheduled')),
  -- Approved once: further changes of its owner need no approval.
  add column is_approved boolean not null default false;
create index videos_held on videos (created_at) where held_visibility is not null;
