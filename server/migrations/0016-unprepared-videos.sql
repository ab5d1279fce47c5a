-- Every five minutes the few videos whose preparation has not ended are looked for.
create index videos_processing on videos (created_at) where processing_state = 'processing';
