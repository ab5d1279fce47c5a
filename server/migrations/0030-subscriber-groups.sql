-- When a group of new subscribers began: ending a subscription takes only those out of it that began since.
alter table notifications add column began_at timestamptz(3) not null default now();
