-- A kind of notification: a webhook was paused after many failures.
alter table notifications drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in
    ('video', 'comment', 'subscriber', 'processing', 'reply', 'mention', 'report', 'moderation', 'sign_in', 'webhook')) not valid;
