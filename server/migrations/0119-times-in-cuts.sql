-- positions are stored in the time of the whole file, and read in that of the cut
create function time_in_cut(cut jsonb, seconds double precision) returns double precision
  language sql immutable parallel safe as $$
  select case when cut is null then seconds else (
    select coalesce(sum(least(greatest(seconds - r."startSeconds", 0), r."endSeconds" - r."startSeconds")), 0)
    from jsonb_to_recordset(cut) r ("startSeconds" double precision, "endSeconds" double precision)
  ) end
$$;

create function time_in_file(cut jsonb, seconds double precision) returns double precision
  language sql immutable parallel safe as $$
  select case when cut is null then seconds else coalesce((
    select kept."startSeconds" + greatest(seconds - kept.before, 0) from (
      select r.*, sum(r."endSeconds" - r."startSeconds") over (order by r."startSeconds")
        - (r."endSeconds" - r."startSeconds") as before
      from jsonb_to_recordset(cut) r ("startSeconds" double precision, "endSeconds" double precision)
    ) kept
    where seconds < kept.before + kept."endSeconds" - kept."startSeconds" order by kept."startSeconds" limit 1
  ), (cut -> -1 ->> 'endSeconds')::double precision) end
$$;
