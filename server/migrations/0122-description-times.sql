-- a description keeps the cut in which it was written until one of its times changes: a corrected title moves no chapter
create or replace function note_cut_of_description() returns trigger language plpgsql as $$
begin
  if array(select regexp_matches(old.description, '\d{1,3}(?::[0-5]\d)+', 'g'))
    is distinct from array(select regexp_matches(new.description, '\d{1,3}(?::[0-5]\d)+', 'g')) then
    new.description_cut := new.cut;
  end if;
  return new;
end $$;
comment on column videos.description_cut is 'The cut in force when the times of the description were written: its chapters have the times of that.';
