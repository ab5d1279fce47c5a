comment on column live_parts.file is
  'Number of the file of the recording: of one that is kept on a disk, all parts are in the first; in a bucket, each is an object.';
