-- A job selects the few videos whose preparation has not ended, every five minutes.
create index videos_processing on videos (created_at) where processing_state = 'processing';
