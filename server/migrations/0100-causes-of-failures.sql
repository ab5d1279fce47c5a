-- why imports failed, for translations: beside the English text, which older versions read and wrote alone
alter table account_imports add column cause jsonb;
comment on column account_imports.cause is 'Reason and values of the failure.';
alter table video_imports add column cause jsonb;
comment on column video_imports.cause is 'Reason and values of the failure.';
alter table feed_imports add column cause jsonb;
comment on column feed_imports.cause is 'Reason and values of the failure.';
