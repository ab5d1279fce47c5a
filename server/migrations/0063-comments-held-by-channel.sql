-- Held by the watched words of the channel: the owner of the video approves it, not the moderators.
alter table comments add column is_held_by_channel boolean not null default false;
