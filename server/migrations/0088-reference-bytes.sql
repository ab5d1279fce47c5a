-- Length of `content` as text, which an export has again; null in older rows.
alter table imported_references add column bytes integer;
