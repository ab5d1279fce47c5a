-- Run as the owner of the database, after the first `migrate`: default privileges apply to tables of the role that grants them.
create role kinora_app login password '...';
grant usage on schema public to kinora_app;
grant select, insert, update, delete on all tables in schema public to kinora_app;
grant usage, select on all sequences in schema public to kinora_app;
alter default privileges in schema public grant select, insert, update, delete on tables to kinora_app;
alter default privileges in schema public grant usage, select on sequences to kinora_app;
-- the job queue makes its own tables
grant create on database kinora to kinora_app;
