-- Accounts that show the channels they subscribe to nobody else.
create table private_subscriptions (user_id text collate "C" primary key references users on delete cascade);
