-- a kind for moderators: something waits for their decision; one row for each of them
alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (kind in (
  'video', 'comment', 'subscriber', 'processing', 'reply', 'mention', 'report', 'moderation', 'sign_in', 'webhook', 'to_decide'
)) not valid;
create unique index notifications_to_decide on notifications (user_id) where kind = 'to_decide';
