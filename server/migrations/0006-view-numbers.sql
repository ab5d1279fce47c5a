-- Views are numbered as they come, so that every hundredth can ask for folding, in whichever process it arrives.
alter table pending_views add column number bigint generated always as identity;
