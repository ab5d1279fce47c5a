alter table imported_references add column bytes integer;
comment on column imported_references.bytes is 'Length of content as text, which an export has again; null in older rows.';
