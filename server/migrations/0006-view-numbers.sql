-- Numbers views in order of arrival. Every hundredth enqueues the folding, whichever process receives it.
alter table pending_views add column number bigint generated always as identity;
