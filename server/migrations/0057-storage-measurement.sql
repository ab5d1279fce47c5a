-- Sizes of files that no row knows, as a job has added them up.
create table storage_measurement (
  only_row boolean primary key default true check (only_row),
  picture_bytes bigint not null,
  segment_bytes bigint not null,
  -- by the eviction before it
  freed_bytes bigint not null,
  measured_at timestamptz(3) not null
);
