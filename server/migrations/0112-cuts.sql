-- parts of a file that viewers see: the file stays as it is
alter table videos add column cut jsonb;
alter table videos add column description_cut jsonb;
comment on column videos.cut is 'Ranges of the file that viewers see, in its seconds; null for all of it.';
comment on column videos.description_cut is 'The cut in force when the description was written: its chapters have the times of that.';
create index videos_cut on videos (id) where cut is not null;

create table video_cuts (
  video_id text collate "C" not null references videos on delete cascade,
  published_at timestamp(3) with time zone not null,
  keep jsonb,
  is_final boolean not null default false,
  primary key (video_id, published_at)
);
comment on table video_cuts is 'Cuts of each video and when they were published, so that times written before lead to the same place.';
comment on column video_cuts.keep is 'Null where a cut ended.';
comment on column video_cuts.is_final is 'These ranges became the file of the video.';

create function note_cut_of_description() returns trigger language plpgsql as $$
begin
  new.description_cut := new.cut;
  return new;
end $$;
create trigger note_cut_of_description before update of description on videos
  for each row when (old.description is distinct from new.description) execute function note_cut_of_description();
