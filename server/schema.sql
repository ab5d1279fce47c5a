-- Result of the migrations, written from the catalog by "npm run data-model". Do not edit it by hand.

CREATE OR REPLACE FUNCTION public.add_to_unread(user_ids text[], differences integer[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  changed_ids text[];
  counts integer[];
begin
  -- in one order, or two of these could wait for each other
  perform from unread_notifications where user_id = any(user_ids) order by user_id for no key update;
  with changed as (
    update unread_notifications kept set unread = kept.unread + added.difference
    from unnest(user_ids, differences) as added (user_id, difference)
    where kept.user_id = added.user_id and added.difference < 0
    returning kept.user_id, kept.unread
  ), increased as (
    insert into unread_notifications as kept (user_id, unread)
    select user_id, difference from unnest(user_ids, differences) as added (user_id, difference)
    where difference > 0 order by user_id
    on conflict (user_id) do update set unread = kept.unread + excluded.unread
    returning user_id, unread
  ), both_ways as (select * from changed union all select * from increased)
  select array_agg(user_id), array_agg(unread) into changed_ids, counts from both_ways;
  perform publish_unread(changed_ids, counts);
end $function$
;

CREATE OR REPLACE FUNCTION public.apply_final_cut()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update watch_history set position_seconds = time_in_cut(new.keep, position_seconds)
  where video_id = new.video_id and position_seconds > 0;
  delete from clips where video_id = new.video_id
    and time_in_cut(new.keep, end_seconds) <= time_in_cut(new.keep, start_seconds);
  update clips set start_seconds = time_in_cut(new.keep, start_seconds), end_seconds = time_in_cut(new.keep, end_seconds)
  where video_id = new.video_id;
  update chat_messages set removed_at = now()
  where video_id = new.video_id and removed_at is null and not is_in_cut(new.keep, file_seconds);
  update chat_messages set file_seconds = time_in_cut(new.keep, file_seconds)
  where video_id = new.video_id and file_seconds is not null;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.caption_words(content text)
 RETURNS tsvector
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
declare
  shown text := left(
    regexp_replace(regexp_replace(left(content, 2000000), '[^\n]*-->[^\n]*', ' ', 'g'), '<[^<>\n]*>', '', 'g'), 200000
  );
begin
  return array_to_tsvector(search_words(regexp_replace(left(search_normalized(shown), 200000), '\S{100}', '\& ', 'g')));
exception when program_limit_exceeded then
  -- more than a megabyte of different words
  return '';
end $function$
;

CREATE OR REPLACE FUNCTION public.count_added_notifications()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  ids text[];
  differences integer[];
begin
  select array_agg(user_id), array_agg(unread) into ids, differences
  from (select user_id, count(*)::integer as unread from added where not is_read group by user_id) counted;
  perform add_to_unread(ids, differences) where ids is not null;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.count_deleted_notifications()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  ids text[];
  differences integer[];
begin
  select array_agg(user_id), array_agg(-unread) into ids, differences
  from (select user_id, count(*)::integer as unread from deleted where not is_read group by user_id) counted;
  perform add_to_unread(ids, differences) where ids is not null;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.count_read_notifications()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  ids text[];
  differences integer[];
begin
  select array_agg(user_id), array_agg(difference) into ids, differences from (
    select new_row.user_id, sum(old_row.is_read::integer - new_row.is_read::integer)::integer as difference
    from old_rows old_row join new_rows new_row on new_row.id = old_row.id
    where old_row.is_read <> new_row.is_read group by new_row.user_id
  ) counted;
  perform add_to_unread(ids, differences) where ids is not null;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.count_replies()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  thread text := coalesce(new.parent_id, old.parent_id);
  before boolean := old.parent_id is not null and not old.is_held and old.deleted_at is null;
  after boolean := new.parent_id is not null and not new.is_held and new.deleted_at is null;
begin
  if before <> after then
    update comments set replies_count = replies_count + after::integer - before::integer where id = thread;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.delete_clips_of_file()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- the deletion of what a cut removed keeps the cut, and moves clips itself
  delete from clips where video_id = new.id and not exists (select from video_cuts where video_id = new.id);
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.delete_pending_email_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from email_changes where user_id = new.id and confirmed_at is null;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.delete_setup_token()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from setup_token;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.forget_words(document tsvector)
 RETURNS void
 LANGUAGE sql
AS $function$
  with candidates as (
    select word from search_vocabulary
    where word = any(tsvector_to_array(document)) and word <> '' and videos_count <= 10
    -- waits for nobody, because those who learn words wait for this
    order by word for update skip locked
  )
  delete from search_vocabulary known using candidates
  where known.word = candidates.word and not exists (
    select from video_search v where v.is_public and v.document @@ array_to_tsvector(array[candidates.word])::text::tsquery
  )
$function$
;

CREATE OR REPLACE FUNCTION public.forget_words_of_video()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform forget_words(old.document);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.give_video()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update channel_profiles set pinned_video_id = null where user_id = old.owner_id and pinned_video_id = new.id;
  update reports set owner_id = new.owner_id where kind = 'video' and subject_id = new.id and decision is null;
  update clips set channel_id = new.owner_id where video_id = new.id;
  delete from handovers where video_id = new.id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.index_changed_captions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into caption_search (captions_id, document) values (new.id, caption_words(new.content))
  on conflict (captions_id) do update set document = excluded.document;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.index_changed_channel()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into channel_search (user_id, document)
  values (new.id, search_vector('', new.fullname || ' ' || new.username, ''))
  on conflict (user_id) do update set document = excluded.document;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.index_changed_video()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  owner text;
  found tsvector;
begin
  -- locked against being renamed at this moment
  select fullname || ' ' || username into owner from users where id = new.owner_id for share;
  found := search_vector(new.title, owner, new.description);
  insert into video_search (video_id, created_at, head, document, is_public)
  values (new.id, new.created_at, ts_filter(found, '{a,b}'), found, new.visibility = 'public')
  on conflict (video_id) do update set created_at = excluded.created_at, head = excluded.head,
    document = excluded.document, is_public = excluded.is_public;
  if new.visibility = 'public' then perform learn_words(found); end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.index_videos_of_changed_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  name tsvector := search_vector('', new.fullname || ' ' || new.username, '');
begin
  update video_search set
    head = ts_filter(head, '{a}') || name,
    document = ts_filter(document, '{a,c}') || name
  from videos where videos.id = video_search.video_id and videos.owner_id = new.id;
  perform learn_words(name);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.is_in_cut(cut jsonb, seconds double precision)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select cut is null or seconds is null or exists (
    select from jsonb_to_recordset(cut) r ("startSeconds" double precision, "endSeconds" double precision)
    where seconds >= r."startSeconds" and seconds < r."endSeconds"
  )
$function$
;

CREATE OR REPLACE FUNCTION public.learn_words(document tsvector)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into search_vocabulary (word, variants)
  select found.word, search_variants(found.word) from unnest(tsvector_to_array(document)) found (word)
  where not exists (select from search_vocabulary known where known.word = found.word)
  -- in one order, so that two who learn the same words never wait for each other
  order by found.word
  on conflict (word) do nothing
$function$
;

CREATE OR REPLACE FUNCTION public.note_cut_of_description()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if array(select regexp_matches(old.description, '\d{1,3}(?::[0-5]\d)+', 'g'))
    is distinct from array(select regexp_matches(new.description, '\d{1,3}(?::[0-5]\d)+', 'g')) then
    new.description_cut := new.cut;
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.place_chat_messages()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update chat_messages m
  set file_seconds = time_in_file(old.cut, extract(epoch from m.sent_at - old.chat_from)::double precision)
  where m.video_id = old.id and m.file_seconds is null and m.sent_at >= old.chat_from;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.publish_unread(user_ids text[], counts integer[])
 RETURNS void
 LANGUAGE sql
AS $function$
  select pg_notify('kinora', json_build_array('notifications/' || user_id, unread::text)::text)
  from unnest(user_ids, counts) as changed (user_id, unread) where cardinality(user_ids) <= 50;
  select pg_notify('kinora', json_build_array('notifications', min(user_id) || ' ' || max(user_id))::text)
  from unnest(user_ids) as user_id having count(*) > 50;
$function$
;

CREATE OR REPLACE FUNCTION public.queue_notification_mail_again()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into notification_mails (notification_id, user_id)
  select new.id, new.user_id from mail_frequencies frequency
  join mailed_notifications mailed on mailed.user_id = frequency.user_id and mailed.kind = new.kind
  where frequency.user_id = new.user_id
  on conflict do nothing;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.queue_notification_mails()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into notification_mails (notification_id, user_id)
  select added.id, added.user_id from added
  join mail_frequencies frequency on frequency.user_id = added.user_id
  join mailed_notifications mailed on mailed.user_id = added.user_id and mailed.kind = added.kind;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.queue_notification_push_again()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into notification_pushes (notification_id, user_id)
  select new.id, new.user_id where exists (select from push_subscriptions s where s.user_id = new.user_id)
  on conflict do nothing;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.queue_notification_pushes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into notification_pushes (notification_id, user_id)
  select added.id, added.user_id from added
  where exists (select from push_subscriptions s where s.user_id = added.user_id);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.remove_viewer_of_channel()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from video_viewers w using videos v
  where w.user_id = old.user_id and v.id = w.video_id and v.owner_id = old.channel_id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.search_endings(word text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when length(word) between 4 and 30 then array_to_tsvector(
    array(select substr(word, at) from generate_series(2, length(word) - 2) at)
  ) else '' end
$function$
;

CREATE OR REPLACE FUNCTION public.search_folded(text text)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select regexp_replace(lower(unaccent(search_normalized(text))), '[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07eb-\u07f3\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0898-\u089f\u08ca-\u08e1\u08e3-\u08ff\u0951-\u0954\u135d-\u135f\u1ab0-\u1aff\u1cd0-\u1cd2\u1cd4-\u1ce8\u1dc0-\u1dff\u20d0-\u20f0\u2cef-\u2cf1\u2de0-\u2dff\ua66f\ua674-\ua67d\ua69e\ua69f\ua8e0-\ua8f1\ufb1e\ufe20-\ufe2f]', '', 'g')
$function$
;

CREATE OR REPLACE FUNCTION public.search_joined_words(text text)
 RETURNS text[]
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select coalesce(array_agg(joined), '{}') from (
    select regexp_replace(found[1], '[^[:alnum:]]', '', 'g') as joined
    from regexp_matches(search_folded(text), '[[:alnum:]]+(?:[.\-_‐‑][[:alnum:]]+)+', 'g') found
  ) words where length(joined) between 3 and 30
$function$
;

CREATE OR REPLACE FUNCTION public.search_normalized(text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select normalize(regexp_replace(text, '([\u0300-\u036f\u0483-\u0489\u0591-\u10ff\u135d-\u1cff\u1dc0-\u1dff\u20d0-\u20f0\u2cef-\u2dff\u302a-\u302f\u3099\u309a\ua66f-\uabff\ufb1e\ufe20-\ufe2f\uff9e\uff9f\U000101fd-\U0001e94f]{30})', E'\\1\u034f', 'g'), nfkc)
$function$
;

CREATE OR REPLACE FUNCTION public.search_run_endings(word text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select array_to_tsvector(array(select substr(word, at) from generate_series(1, length(word) - 1) at))
$function$
;

CREATE OR REPLACE FUNCTION public.search_variants(word text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when word ~ '^[^0-9]{3,30}$' then array(
    select word union select overlay(word placing '' from at for 1) from generate_series(1, length(word)) at
  ) else '{}' end
$function$
;

CREATE OR REPLACE FUNCTION public.search_vector(title text, owner text, description text)
 RETURNS tsvector
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select coalesce(string_agg(word || ':' || marks, ' '), '')::tsvector from (
    select word, string_agg(mark, ',') as marks from (
      select unnest(search_words(title) || search_joined_words(title)) as word, '1A' as mark
      union select unnest(search_words(owner) || search_joined_words(owner)), '2B'
      union select unnest(search_words(description)), '3C'
    ) marked group by word
  ) words
$function$
;

CREATE OR REPLACE FUNCTION public.search_words(text text)
 RETURNS text[]
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select coalesce(array_agg(left(coalesce(pair, word), case when word ~ '^[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]' then 200 else 60 end) order by position, at), '{}')
  from regexp_split_to_table(
    regexp_replace(
      regexp_replace(search_folded(text), '[''’ʼ]', '', 'g'),
      '([\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+)', ' \1 ', 'g'
    ), '[^[:alnum:]\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3]+'
  ) with ordinality split (word, position)
  left join lateral (
    select substr(word, at, 2) as pair, at from generate_series(1, length(word)) at
    where word ~ '^[\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]'
  ) pairs on true
  where word <> ''
$function$
;

CREATE OR REPLACE FUNCTION public.set_channel_of_clip()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- the lock waits for a handover of the video
  select owner_id into new.channel_id from videos where id = new.video_id for share;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.time_in_cut(cut jsonb, seconds double precision)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when cut is null then seconds else (
    select coalesce(sum(least(greatest(seconds - r."startSeconds", 0), r."endSeconds" - r."startSeconds")), 0)
    from jsonb_to_recordset(cut) r ("startSeconds" double precision, "endSeconds" double precision)
  ) end
$function$
;

CREATE OR REPLACE FUNCTION public.time_in_file(cut jsonb, seconds double precision)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when cut is null then seconds else coalesce((
    select kept."startSeconds" + greatest(seconds - kept.before, 0) from (
      select r.*, sum(r."endSeconds" - r."startSeconds") over (order by r."startSeconds")
        - (r."endSeconds" - r."startSeconds") as before
      from jsonb_to_recordset(cut) r ("startSeconds" double precision, "endSeconds" double precision)
    ) kept
    where seconds < kept.before + kept."endSeconds" - kept."startSeconds" order by kept."startSeconds" limit 1
  ), (cut -> -1 ->> 'endSeconds')::double precision) end
$function$
;

CREATE OR REPLACE FUNCTION public.unindex_video()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  removed tsvector;
begin
  delete from video_search where video_id = new.id and is_public returning document into removed;
  delete from video_search where video_id = new.id;
  if removed is not null then perform forget_words(removed); end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.video_tags(tags text[], description text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select tags || array(
    select lower(found[1]) from regexp_matches(
      description, '(?<![[:alnum:]_&/#])#(?=[0-9_-]*[[:alpha:]])([[:alnum:]_]+(?:-[[:alnum:]_]+)*)', 'g'
    ) found where length(found[1]) <= 50
  )
$function$
;

create table account_exports (
  user_id text collate "C" not null,
  id text collate "C" not null,
  state text not null default 'running'::text,
  progress real not null default 0,
  size_bytes bigint,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  constraint account_exports_id_key UNIQUE (id),
  constraint account_exports_pkey PRIMARY KEY (user_id),
  constraint account_exports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint account_exports_state_check CHECK ((state = ANY (ARRAY['running'::text, 'ready'::text, 'failed'::text])))
);
comment on table account_exports is 'The archive of an account, at most one, and how far a job has made it.';

create table account_import_steps (
  user_id text collate "C" not null,
  name_hash text collate "C" not null,
  constraint account_import_steps_pkey PRIMARY KEY (user_id, name_hash),
  constraint account_import_steps_user_id_fkey FOREIGN KEY (user_id) REFERENCES account_imports(user_id) ON DELETE CASCADE
);
comment on table account_import_steps is 'Parts of the last import of an account that are done: a repeated run skips them.';
comment on column account_import_steps.name_hash is 'SHA-256 of the name of the part, in base64url.';

create table account_imports (
  user_id text collate "C" not null,
  id text collate "C" not null,
  state text not null default 'running'::text,
  format text,
  failure text,
  progress real not null default 0,
  report jsonb not null default '{"counts": [], "problems": [], "moreProblems": 0}'::jsonb,
  steps text[] collate "C" not null default '{}'::text[],
  created_at timestamp(3) with time zone not null,
  upload_id text collate "C",
  cause jsonb,
  constraint account_imports_id_key UNIQUE (id),
  constraint account_imports_pkey PRIMARY KEY (user_id),
  constraint account_imports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint account_imports_state_check CHECK ((state = ANY (ARRAY['running'::text, 'done'::text, 'failed'::text, 'cancelled'::text])))
);
comment on table account_imports is 'The last import into an account.';
comment on column account_imports.steps is 'Parts that are done, of imports that version 0.2.0 began; others are in account_import_steps.';
comment on column account_imports.upload_id is 'The upload that the import reads, perhaps days later: it is not stale until then. Null for imports of 0.2.0.';
comment on column account_imports.cause is 'Reason and values of the failure.';

create table announced_videos (
  video_id text collate "C" not null,
  announced_at timestamp(3) with time zone not null default now(),
  constraint announced_videos_pkey PRIMARY KEY (video_id),
  constraint announced_videos_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
comment on table announced_videos is 'Videos that subscribers were notified of, so that publishing one again notifies nobody.';

create table api_tokens (
  id text collate "C" not null,
  user_id text collate "C" not null,
  token_hash bytea not null,
  name text not null,
  scopes text[] not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone,
  used_at timestamp(3) with time zone,
  constraint api_tokens_token_hash_key UNIQUE (token_hash),
  constraint api_tokens_pkey PRIMARY KEY (id),
  constraint api_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table api_tokens is 'Tokens with which programs call the API for a person.';
comment on column api_tokens.token_hash is 'Without a salt: a token has 256 random bits, so its hash is as hard to guess.';
comment on column api_tokens.expires_at is 'Null for a token that does not expire.';

CREATE INDEX api_tokens_user_id ON public.api_tokens USING btree (user_id);

create table audit_log (
  id bigint not null generated always as identity,
  happened_at timestamp(3) with time zone not null,
  actor text not null,
  action text not null,
  subject text not null,
  details text,
  constraint audit_log_pkey PRIMARY KEY (id)
);
comment on table audit_log is 'Actions of moderators and administrators. Names are kept as they were: an entry outlives the account that it is about.';

create table av1_ladders (
  video_id text collate "C" not null,
  folder text not null,
  is_ready boolean not null,
  tried_at timestamp with time zone not null default now(),
  constraint av1_ladders_pkey PRIMARY KEY (video_id),
  constraint av1_ladders_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
comment on table av1_ladders is 'Videos whose AV1 renditions were encoded, or could not be.';
comment on column av1_ladders.folder is 'Folder of the segments of the file that was encoded.';
comment on column av1_ladders.is_ready is 'False if they could not be encoded.';

create table backup_run (
  only_row boolean not null default true,
  kind text not null,
  progress text not null,
  problems text[] not null,
  started_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  constraint backup_run_pkey PRIMARY KEY (only_row),
  constraint backup_run_kind_check CHECK ((kind = ANY (ARRAY['create'::text, 'verify'::text]))),
  constraint backup_run_only_row_check CHECK (only_row)
);
comment on table backup_run is 'The last backup or verification that an administrator started: its progress and its result.';

create table caption_search (
  captions_id text collate "C" not null,
  document tsvector not null,
  constraint caption_search_pkey PRIMARY KEY (captions_id),
  constraint caption_search_captions_id_fkey FOREIGN KEY (captions_id) REFERENCES captions(id) ON DELETE CASCADE
);
comment on table caption_search is 'Words of captions, which searches for moments find. Triggers on captions maintain it.';

CREATE INDEX caption_search_document ON public.caption_search USING gin (document) WITH (fastupdate=off);

create table captions (
  id text collate "C" not null,
  video_id text collate "C" not null,
  language text not null,
  label text not null,
  is_default boolean not null default false,
  file_track integer,
  content text not null,
  version integer not null default 1,
  is_automatic boolean not null default false,
  constraint captions_video_id_file_track_key UNIQUE (video_id, file_track),
  constraint captions_pkey PRIMARY KEY (id),
  constraint captions_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
comment on table captions is 'Captions that owners add. Those in the file of a video are extracted from it, unless a row replaces them.';
comment on column captions.language is 'BCP 47.';
comment on column captions.file_track is 'The track of the file that this row replaces.';
comment on column captions.content is 'WebVTT.';
comment on column captions.version is 'Part of the URL, which caches keep for a year.';
comment on column captions.is_automatic is 'Recognized by the site; false once the owner has edited them.';

CREATE UNIQUE INDEX captions_default ON public.captions USING btree (video_id) WHERE is_default;

CREATE TRIGGER index_added_captions AFTER INSERT ON captions FOR EACH ROW EXECUTE FUNCTION index_changed_captions();

CREATE TRIGGER index_updated_captions AFTER UPDATE OF content ON captions FOR EACH ROW WHEN (old.content IS DISTINCT FROM new.content) EXECUTE FUNCTION index_changed_captions();

create table channel_activity (
  id bigint not null generated always as identity,
  channel_id text collate "C" not null,
  actor_id text collate "C",
  action text not null,
  video_id text collate "C",
  subject text not null,
  happened_at timestamp(3) with time zone not null,
  constraint channel_activity_pkey PRIMARY KEY (id),
  constraint channel_activity_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint channel_activity_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table channel_activity is 'Activity of the people of a channel on which several work. A job deletes old rows.';
comment on column channel_activity.video_id is 'Of a video that may be deleted already.';
comment on column channel_activity.subject is 'Title of the video, or username of the person, as it was.';

CREATE INDEX channel_activity_actor ON public.channel_activity USING btree (actor_id) WHERE (actor_id IS NOT NULL);

CREATE INDEX channel_activity_happened ON public.channel_activity USING brin (happened_at);

CREATE INDEX channel_activity_newest ON public.channel_activity USING btree (channel_id, happened_at DESC, id DESC);

create table channel_embeds (
  user_id text collate "C" not null,
  allowed text not null,
  sites text[] not null,
  constraint channel_embeds_pkey PRIMARY KEY (user_id),
  constraint channel_embeds_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint channel_embeds_allowed_check CHECK ((allowed = ANY (ARRAY['everywhere'::text, 'sites'::text, 'nowhere'::text])))
);
comment on table channel_embeds is 'Sites that may embed videos of a channel. A missing row counts as everywhere.';

create table channel_group_members (
  group_id text collate "C" not null,
  channel_id text collate "C" not null,
  constraint channel_group_members_pkey PRIMARY KEY (group_id, channel_id),
  constraint channel_group_members_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint channel_group_members_group_id_fkey FOREIGN KEY (group_id) REFERENCES channel_groups(id) ON DELETE CASCADE
);
comment on table channel_group_members is 'Channels of a group.';

CREATE INDEX channel_group_members_channel_id ON public.channel_group_members USING btree (channel_id);

create table channel_groups (
  id text collate "C" not null,
  owner_id text collate "C" not null,
  name text not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint channel_groups_pkey PRIMARY KEY (id),
  constraint channel_groups_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table channel_groups is 'Groups of followed channels, which filter the feed of their owner.';

CREATE INDEX channel_groups_owner_id ON public.channel_groups USING btree (owner_id);

create table channel_profiles (
  user_id text collate "C" not null,
  about text not null default ''::text,
  links text[] not null default '{}'::text[],
  pinned_video_id text collate "C",
  constraint channel_profiles_pkey PRIMARY KEY (user_id),
  constraint channel_profiles_pinned_video_id_fkey FOREIGN KEY (pinned_video_id) REFERENCES videos(id) ON DELETE SET NULL,
  constraint channel_profiles_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint channel_profiles_links_check CHECK ((cardinality(links) <= 10))
);
comment on table channel_profiles is 'Texts of owners about their channel. A missing row counts as an empty one.';
comment on column channel_profiles.links is 'URLs.';

CREATE INDEX channel_profiles_pinned_video_id ON public.channel_profiles USING btree (pinned_video_id) WHERE (pinned_video_id IS NOT NULL);

create table channel_search (
  user_id text collate "C" not null,
  document tsvector not null,
  constraint channel_search_pkey PRIMARY KEY (user_id),
  constraint channel_search_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table channel_search is 'Words of the names of each channel. Triggers on users maintain it.';

CREATE INDEX channel_search_document ON public.channel_search USING gin (document) WITH (fastupdate=off);

create table channel_transcriptions (
  user_id text collate "C" not null,
  is_enabled boolean not null,
  constraint channel_transcriptions_pkey PRIMARY KEY (user_id),
  constraint channel_transcriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table channel_transcriptions is 'Whether videos of a channel get automatic captions. A missing row counts as yes.';

create table chat_messages (
  id text collate "C" not null,
  video_id text collate "C" not null,
  user_id text collate "C" not null,
  text text not null,
  sent_at timestamp(3) with time zone not null,
  removed_at timestamp(3) with time zone,
  removed_by text collate "C",
  file_seconds double precision,
  constraint chat_messages_pkey PRIMARY KEY (id),
  constraint chat_messages_removed_by_fkey FOREIGN KEY (removed_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint chat_messages_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint chat_messages_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE,
  constraint chat_messages_text_check CHECK ((char_length(text) <= 200))
);
comment on table chat_messages is 'Messages of the chats of videos. Their position in the video is sent_at minus videos.chat_from. A job deletes removed ones.';
comment on column chat_messages.file_seconds is 'Where it is shown, in seconds of the file. Null while that is the time since videos.chat_from: the video was not cut since.';

CREATE INDEX chat_messages_in_file ON public.chat_messages USING btree (video_id, file_seconds) WHERE (file_seconds IS NOT NULL);

CREATE INDEX chat_messages_of_user ON public.chat_messages USING btree (user_id, video_id, sent_at DESC);

CREATE INDEX chat_messages_of_video ON public.chat_messages USING btree (video_id, sent_at DESC, id DESC);

CREATE INDEX chat_messages_removed ON public.chat_messages USING btree (removed_at) WHERE (removed_at IS NOT NULL);

CREATE INDEX chat_messages_removed_by ON public.chat_messages USING btree (removed_by) WHERE (removed_by IS NOT NULL);

create table chat_settings (
  video_id text collate "C" not null,
  writers text not null,
  slow_seconds integer not null,
  constraint chat_settings_pkey PRIMARY KEY (video_id),
  constraint chat_settings_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE,
  constraint chat_settings_slow_seconds_check CHECK (((slow_seconds >= 0) AND (slow_seconds <= 300))),
  constraint chat_settings_writers_check CHECK ((writers = ANY (ARRAY['everybody'::text, 'subscribers'::text, 'nobody'::text])))
);
comment on table chat_settings is 'Settings of chats that differ from the default: everybody who sees the video writes as fast as they can.';

create table clips (
  id text collate "C" not null,
  video_id text collate "C" not null,
  user_id text collate "C" not null,
  title text not null,
  start_seconds double precision not null,
  end_seconds double precision not null,
  created_at timestamp(3) with time zone not null,
  channel_id text collate "C",
  constraint clips_pkey PRIMARY KEY (id),
  constraint clips_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint clips_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE,
  constraint clips_range_check CHECK (((start_seconds >= (0)::double precision) AND (end_seconds > start_seconds)))
);
comment on table clips is 'Parts of videos that somebody shares under a title. Their times are those of the whole file, so that a cut moves them.';
comment on column clips.channel_id is 'Owner of the video, written by triggers.';

CREATE INDEX clips_of_channel ON public.clips USING btree (channel_id, created_at DESC, id DESC);

CREATE INDEX clips_of_user ON public.clips USING btree (user_id, created_at DESC, id DESC);

CREATE INDEX clips_of_video ON public.clips USING btree (video_id, created_at DESC, id DESC);

CREATE TRIGGER set_channel_of_clip BEFORE INSERT ON clips FOR EACH ROW EXECUTE FUNCTION set_channel_of_clip();

create table collaboration_invitations (
  channel_id text collate "C" not null,
  user_id text collate "C" not null,
  role text not null,
  created_at timestamp(3) with time zone not null,
  invited_by text collate "C",
  constraint collaboration_invitations_pkey PRIMARY KEY (channel_id, user_id),
  constraint collaboration_invitations_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint collaboration_invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id) ON DELETE CASCADE,
  constraint collaboration_invitations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint collaboration_invitations_check CHECK ((channel_id <> user_id)),
  constraint collaboration_invitations_role_check CHECK ((role = ANY (ARRAY['editor'::text, 'manager'::text])))
);
comment on table collaboration_invitations is 'Invitations to work on a channel that are neither accepted nor declined.';
comment on column collaboration_invitations.invited_by is 'Null for invitations of older versions.';

CREATE INDEX collaboration_invitations_user ON public.collaboration_invitations USING btree (user_id);

create table collaborators (
  channel_id text collate "C" not null,
  user_id text collate "C" not null,
  role text not null,
  created_at timestamp(3) with time zone not null,
  constraint collaborators_pkey PRIMARY KEY (channel_id, user_id),
  constraint collaborators_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint collaborators_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint collaborators_check CHECK ((channel_id <> user_id)),
  constraint collaborators_role_check CHECK ((role = ANY (ARRAY['editor'::text, 'manager'::text])))
);
comment on table collaborators is 'People who work on the channel of somebody else.';

CREATE INDEX collaborators_user ON public.collaborators USING btree (user_id);

CREATE TRIGGER remove_viewer_of_channel AFTER DELETE ON collaborators FOR EACH ROW EXECUTE FUNCTION remove_viewer_of_channel();

create table comment_likes (
  comment_id text collate "C" not null,
  user_id text collate "C" not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint comment_likes_pkey PRIMARY KEY (comment_id, user_id),
  constraint comment_likes_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES comments(id) ON DELETE CASCADE,
  constraint comment_likes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table comment_likes is 'Likes of comments; comments.likes_count is their number.';

CREATE INDEX comment_likes_user_id ON public.comment_likes USING btree (user_id);

create table comments (
  id text collate "C" not null,
  video_id text collate "C" not null,
  author_id text collate "C" not null,
  content text not null,
  likes_count integer not null default 0,
  created_at timestamp(3) with time zone not null default now(),
  parent_id text collate "C",
  replies_count integer not null default 0,
  mentions text[] not null default '{}'::text[],
  edited_at timestamp(3) with time zone,
  is_pinned boolean not null default false,
  is_hearted boolean not null default false,
  is_held boolean not null default false,
  deleted_at timestamp(3) with time zone,
  deleted_by text collate "C",
  is_approved_by_owner boolean not null default false,
  is_held_by_channel boolean not null default false,
  time_dates jsonb,
  constraint comments_pkey PRIMARY KEY (id),
  constraint comments_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint comments_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES comments(id) ON DELETE CASCADE,
  constraint comments_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
comment on table comments is 'Comments on videos, and replies to them.';
comment on column comments.parent_id is 'The comment that this is a reply to.';
comment on column comments.replies_count is 'Published ones; a trigger keeps it.';
comment on column comments.mentions is 'Usernames that exist among the @names of the text.';
comment on column comments.is_held is 'Waits for approval.';
comment on column comments.deleted_at is 'Deleted comments stay for a while, so that their deletion can be undone.';
comment on column comments.is_approved_by_owner is 'Published only because the owner of the video approved it, or an earlier comment of its author: it shows nothing about the author on other channels.';
comment on column comments.is_held_by_channel is 'Held by the watched words of the channel: the owner of the video approves it, not the moderators.';
comment on column comments.time_dates is 'Dates at which times that the last edit kept were written, by time in seconds.';

CREATE INDEX comments_all_held ON public.comments USING btree (created_at DESC, id DESC) WHERE (is_held AND (deleted_at IS NULL));

CREATE INDEX comments_author_id ON public.comments USING btree (author_id);

CREATE INDEX comments_deleted_at ON public.comments USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE INDEX comments_held ON public.comments USING btree (video_id, created_at DESC, id DESC) WHERE (is_held AND (deleted_at IS NULL));

CREATE INDEX comments_newest ON public.comments USING btree (created_at DESC, id DESC) WHERE (deleted_at IS NULL);

CREATE UNIQUE INDEX comments_pinned ON public.comments USING btree (video_id) WHERE is_pinned;

CREATE INDEX comments_replies ON public.comments USING btree (parent_id, created_at, id) WHERE (parent_id IS NOT NULL);

CREATE INDEX comments_threads ON public.comments USING btree (video_id, created_at DESC, id DESC) WHERE ((parent_id IS NULL) AND (NOT is_held) AND (deleted_at IS NULL));

CREATE INDEX comments_top ON public.comments USING btree (video_id, likes_count DESC, created_at DESC, id DESC) WHERE ((parent_id IS NULL) AND (NOT is_held) AND (deleted_at IS NULL));

CREATE INDEX comments_video_id ON public.comments USING btree (video_id);

CREATE TRIGGER count_added_reply AFTER INSERT ON comments FOR EACH ROW WHEN (new.parent_id IS NOT NULL) EXECUTE FUNCTION count_replies();

CREATE TRIGGER count_changed_reply AFTER UPDATE OF is_held, deleted_at ON comments FOR EACH ROW WHEN (new.parent_id IS NOT NULL) EXECUTE FUNCTION count_replies();

CREATE TRIGGER count_deleted_reply AFTER DELETE ON comments FOR EACH ROW WHEN (old.parent_id IS NOT NULL) EXECUTE FUNCTION count_replies();

create table confirmed_emails (
  user_id text collate "C" not null,
  email text not null,
  confirmed_at timestamp(3) with time zone not null default now(),
  constraint confirmed_emails_pkey PRIMARY KEY (user_id),
  constraint confirmed_emails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table confirmed_emails is 'Addresses whose owners have opened a link in a mail. One counts as confirmed while the account has the same.';

create table cut_deletions (
  video_id text collate "C" not null,
  published_at timestamp(3) with time zone not null,
  progress real not null default 0,
  has_failed boolean not null default false,
  old_source_key text,
  old_folder text,
  constraint cut_deletions_pkey PRIMARY KEY (video_id),
  constraint cut_deletions_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE,
  constraint cut_deletions_old_file CHECK (((old_source_key IS NULL) = (old_folder IS NULL)))
);
comment on table cut_deletions is 'Videos whose removed parts are being deleted. Publishing another cut ends it.';
comment on column cut_deletions.published_at is 'Of the cut whose ranges become the file.';
comment on column cut_deletions.old_source_key is 'The replaced file, which is being deleted. Null until it is replaced.';
comment on column cut_deletions.old_folder is 'Folder of the segments of the replaced file.';

create table daily_playbacks (
  video_id text collate "C" not null,
  day date not null,
  playbacks integer not null,
  watched_seconds double precision not null,
  retention integer[] not null,
  sources jsonb not null,
  captions jsonb not null,
  qualities jsonb not null,
  constraint daily_playbacks_pkey PRIMARY KEY (video_id, day),
  constraint daily_playbacks_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
comment on table daily_playbacks is 'How a video was watched on a day, without viewers.';
comment on column daily_playbacks.retention is 'Playbacks that showed each hundredth of the video.';
comment on column daily_playbacks.sources is 'Playbacks by where their viewers came from.';
comment on column daily_playbacks.captions is 'Seconds by language.';
comment on column daily_playbacks.qualities is 'Seconds by pixels of the shorter side.';

create table daily_views (
  video_id text collate "C" not null,
  day date not null,
  views integer not null,
  constraint daily_views_pkey PRIMARY KEY (video_id, day),
  constraint daily_views_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
comment on table daily_views is 'Views of each video and day.';

CREATE INDEX daily_views_day ON public.daily_views USING btree (day);

create table dismissed_channels (
  user_id text collate "C" not null,
  channel_id text collate "C" not null,
  dismissed_at timestamp(3) with time zone not null default now(),
  constraint dismissed_channels_pkey PRIMARY KEY (user_id, channel_id),
  constraint dismissed_channels_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint dismissed_channels_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table dismissed_channels is 'Channels that users do not want to be recommended.';

CREATE INDEX dismissed_channels_channel_id ON public.dismissed_channels USING btree (channel_id);

create table dismissed_videos (
  user_id text collate "C" not null,
  video_id text collate "C" not null,
  dismissed_at timestamp(3) with time zone not null default now(),
  constraint dismissed_videos_pkey PRIMARY KEY (user_id, video_id),
  constraint dismissed_videos_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint dismissed_videos_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
comment on table dismissed_videos is 'Videos that users do not want to be recommended.';

CREATE INDEX dismissed_videos_video_id ON public.dismissed_videos USING btree (video_id);

create table email_changes (
  id text collate "C" not null,
  user_id text collate "C" not null,
  old_email text not null,
  email text not null,
  created_at timestamp(3) with time zone not null default now(),
  confirmed_at timestamp(3) with time zone,
  constraint email_changes_pkey PRIMARY KEY (id),
  constraint email_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table email_changes is 'Changes of addresses on sites that send mail.';
comment on column email_changes.confirmed_at is 'Null while the change is pending.';

CREATE UNIQUE INDEX email_changes_pending ON public.email_changes USING btree (user_id) WHERE (confirmed_at IS NULL);

CREATE INDEX email_changes_user_id ON public.email_changes USING btree (user_id);

create table feed_addresses (
  user_id text collate "C" not null,
  token text collate "C" not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint feed_addresses_token_key UNIQUE (token),
  constraint feed_addresses_pkey PRIMARY KEY (user_id),
  constraint feed_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table feed_addresses is 'Secret addresses of the feeds of users.';
comment on column feed_addresses.token is 'Not hashed, because its owner can display it again. It gives access to a list of videos, and its owner can replace it.';

create table feed_import_entries (
  feed_id text collate "C" not null,
  key text collate "C" not null,
  position bigint not null generated always as identity,
  content text,
  video_id text collate "C",
  attempts integer not null default 0,
  next_attempt_at timestamp(3) with time zone,
  constraint feed_import_entries_pkey PRIMARY KEY (feed_id, key),
  constraint feed_import_entries_feed_id_fkey FOREIGN KEY (feed_id) REFERENCES feed_imports(id) ON DELETE CASCADE
);
comment on table feed_import_entries is 'Entries of feeds that were seen, so that each is imported once.';
comment on column feed_import_entries.key is 'Hash of the id of the entry, which has any length.';
comment on column feed_import_entries.content is 'JSON, until it is imported or given up; null for one that is not imported.';
comment on column feed_import_entries.video_id is 'Its import, and later its video; null while it waits.';
comment on column feed_import_entries.next_attempt_at is 'Null before the first attempt.';

CREATE INDEX feed_import_entries_waiting ON public.feed_import_entries USING btree (feed_id, "position") WHERE (content IS NOT NULL);

create table feed_imports (
  id text collate "C" not null,
  owner_id text collate "C" not null,
  url text not null,
  title text,
  visibility text not null,
  imports_existing boolean not null,
  etag text,
  last_modified text,
  checked_at timestamp(3) with time zone,
  next_check_at timestamp(3) with time zone not null,
  next_import_at timestamp(3) with time zone,
  failures integer not null default 0,
  failure text,
  paused_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  cause jsonb,
  constraint feed_imports_owner_id_url_key UNIQUE (owner_id, url),
  constraint feed_imports_pkey PRIMARY KEY (id),
  constraint feed_imports_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table feed_imports is 'Feeds whose new videos are imported.';
comment on column feed_imports.title is 'Null until the feed was read.';
comment on column feed_imports.next_import_at is 'After a quota or limit was reached.';
comment on column feed_imports.failures is 'In a row.';
comment on column feed_imports.cause is 'Reason and values of the failure.';

CREATE INDEX feed_imports_due ON public.feed_imports USING btree (next_check_at) WHERE (paused_at IS NULL);

create table feed_visits (
  user_id text not null,
  seen_at timestamp with time zone not null,
  constraint feed_visits_pkey PRIMARY KEY (user_id),
  constraint feed_visits_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table feed_visits is 'When a member last saw the feed. Videos since then have a dot.';

create table file_captions (
  video_id text collate "C" not null,
  file_track integer not null,
  replacement text,
  content text not null,
  document tsvector not null,
  constraint file_captions_pkey PRIMARY KEY (video_id, file_track),
  constraint file_captions_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
comment on table file_captions is 'Captions inside the files of videos, as text in which a search finds moments. A job extracts them after publishing.';
comment on column file_captions.file_track is 'Place among the captions of the file.';
comment on column file_captions.replacement is 'Of the video when the text was extracted: null for the file that it was published with.';

CREATE INDEX file_captions_document ON public.file_captions USING gin (document) WITH (fastupdate=off);

create table folder_files (
  owner_id text collate "C" not null,
  path text not null,
  size_bytes bigint not null,
  fingerprint bytea not null,
  video_id text collate "C" not null,
  constraint folder_files_pkey PRIMARY KEY (owner_id, path),
  constraint folder_files_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table folder_files is 'Files of a folder that were imported into a channel, so that a second import adds what is new. Rows of deleted videos stay: they are not imported again.';
comment on column folder_files.fingerprint is 'Hash of the first and last bytes, by which a renamed file is found.';

CREATE INDEX folder_files_fingerprint ON public.folder_files USING btree (owner_id, fingerprint);

create table folder_import_run (
  only_row boolean not null default true,
  folder text not null,
  channel_id text collate "C" not null,
  placement text not null,
  is_dry_run boolean not null,
  counts jsonb not null,
  problems jsonb not null,
  failure text,
  started_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  constraint folder_import_run_pkey PRIMARY KEY (only_row),
  constraint folder_import_run_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint folder_import_run_only_row_check CHECK (only_row),
  constraint folder_import_run_placement_check CHECK ((placement = ANY (ARRAY['reference'::text, 'link'::text, 'copy'::text])))
);
comment on table folder_import_run is 'The last import of a folder that an administrator started: its progress and its result.';

create table given_videos (
  video_id text collate "C" not null,
  giver_id text collate "C",
  receiver_id text collate "C",
  given_at timestamp(3) with time zone not null,
  counts_for_giver boolean not null,
  is_moving boolean not null,
  constraint given_videos_giver_id_fkey FOREIGN KEY (giver_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint given_videos_receiver_id_fkey FOREIGN KEY (receiver_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint given_videos_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
comment on table given_videos is 'Videos that were given to another account, one row for each time.';
comment on column given_videos.counts_for_giver is 'Whether the giver has published the video: it counts for nobody else.';
comment on column given_videos.is_moving is 'Whether the video waits to change its owner: a job moves large channels in batches.';

CREATE INDEX given_videos_giver ON public.given_videos USING btree (giver_id) WHERE (giver_id IS NOT NULL);

CREATE INDEX given_videos_moving ON public.given_videos USING btree (giver_id, receiver_id, video_id) WHERE is_moving;

CREATE INDEX given_videos_receiver ON public.given_videos USING btree (receiver_id) WHERE (receiver_id IS NOT NULL);

CREATE INDEX given_videos_video ON public.given_videos USING btree (video_id);

create table handovers (
  id text collate "C" not null,
  giver_id text collate "C" not null,
  receiver_id text collate "C" not null,
  video_id text collate "C",
  created_at timestamp(3) with time zone not null,
  constraint handovers_pkey PRIMARY KEY (id),
  constraint handovers_giver_id_fkey FOREIGN KEY (giver_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint handovers_receiver_id_fkey FOREIGN KEY (receiver_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint handovers_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE,
  constraint handovers_check CHECK ((giver_id <> receiver_id))
);
comment on table handovers is 'Offers to give a video, or all videos, to another account, until they are accepted, declined or withdrawn.';
comment on column handovers.video_id is 'Null for all videos of the giver.';

CREATE INDEX handovers_giver ON public.handovers USING btree (giver_id);

CREATE UNIQUE INDEX handovers_of_all ON public.handovers USING btree (giver_id) WHERE (video_id IS NULL);

CREATE UNIQUE INDEX handovers_of_video ON public.handovers USING btree (video_id) WHERE (video_id IS NOT NULL);

CREATE INDEX handovers_receiver ON public.handovers USING btree (receiver_id);

create table hidden_accounts (
  user_id text collate "C" not null,
  cause text,
  constraint hidden_accounts_pkey PRIMARY KEY (user_id),
  constraint hidden_accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint hidden_accounts_cause_check CHECK ((cause = ANY (ARRAY['leaving'::text, 'suspension'::text])))
);
comment on table hidden_accounts is 'Accounts whose videos and comments are being hidden or shown again: a job does that in batches.';
comment on column hidden_accounts.cause is 'Null for those that are shown again.';

create table imported_items (
  user_id text collate "C" not null,
  kind text collate "C" not null,
  origin text collate "C" not null,
  item_id text collate "C" not null,
  is_complete boolean not null default true,
  constraint imported_items_pkey PRIMARY KEY (user_id, kind, origin),
  constraint imported_items_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table imported_items is 'Items that an account has imported, so that a second import does not duplicate it.';
comment on column imported_items.origin is 'Id where the item came from.';

create table imported_references (
  user_id text collate "C" not null,
  file text collate "C" not null,
  list text collate "C" not null default ''::text,
  key text collate "C" not null,
  content jsonb not null,
  position integer,
  bytes integer,
  constraint imported_references_pkey PRIMARY KEY (user_id, file, list, key),
  constraint imported_references_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table imported_references is 'References of an imported archive that this site could not resolve, as the archive had them. Exports contain them again.';
comment on column imported_references.file is 'File of the archive.';
comment on column imported_references.list is 'Id of the playlist, group of channels or video that the reference belongs to.';
comment on column imported_references.key is 'Id in the archive.';
comment on column imported_references.position is 'In an ordered list.';
comment on column imported_references.bytes is 'Length of content as text, which an export has again; null in older rows.';

create table intros (
  channel_id text collate "C" not null,
  kind text not null,
  video_id text collate "C" not null,
  constraint intros_pkey PRIMARY KEY (channel_id, kind),
  constraint intros_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint intros_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE,
  constraint intros_kind_check CHECK ((kind = ANY (ARRAY['intro'::text, 'outro'::text])))
);
comment on table intros is 'Short videos of a channel that players show before or after its other videos. Those who may not see one get none.';

CREATE INDEX intros_of_video ON public.intros USING btree (video_id);

create table invitations (
  id text collate "C" not null,
  created_by text collate "C",
  created_at timestamp(3) with time zone not null default now(),
  expires_at timestamp(3) with time zone not null,
  max_uses integer not null,
  uses integer not null default 0,
  note text not null default ''::text,
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint invitations_max_uses_check CHECK ((max_uses > 0))
);
comment on table invitations is 'Links with which people register.';
comment on column invitations.note is 'Text of moderators about whom it is for.';

CREATE INDEX invitations_created_by ON public.invitations USING btree (created_by) WHERE (created_by IS NOT NULL);

create table known_addresses (
  user_id text collate "C" not null,
  address_hash bytea not null,
  seen_at timestamp(3) with time zone not null,
  constraint known_addresses_pkey PRIMARY KEY (user_id, address_hash),
  constraint known_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table known_addresses is 'Addresses that an account has signed in from, for 90 days. Failed logins from other addresses do not lock out these.';
comment on column known_addresses.address_hash is 'Hashed with the secret of the site.';

create table known_devices (
  user_id text collate "C" not null,
  device text not null,
  seen_at timestamp(3) with time zone not null,
  constraint known_devices_pkey PRIMARY KEY (user_id, device),
  constraint known_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table known_devices is 'Browsers and systems that an account has signed in with. Another one causes a notification.';

CREATE INDEX known_devices_seen_at ON public.known_devices USING btree (seen_at);

create table live_announcements (
  video_id text collate "C" not null,
  visibility text not null,
  keeps_recording boolean not null,
  drawn_picture text,
  constraint live_announcements_pkey PRIMARY KEY (video_id),
  constraint live_announcements_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE,
  constraint live_announcements_visibility_check CHECK ((visibility = ANY (ARRAY['public'::text, 'unlisted'::text, 'members'::text])))
);
comment on table live_announcements is 'Live streams that were announced for a time, which is videos.chat_from, and have not begun.';
comment on column live_announcements.drawn_picture is 'Thumbnail that the site has drawn, because the channel chose none: the first frame of the stream replaces it.';

create table live_browsers (
  channel_id text not null,
  id text not null,
  opened_at timestamp(3) with time zone not null,
  seen_at timestamp(3) with time zone not null,
  next_piece integer not null default 0,
  has_begun boolean not null default false,
  end_reason text,
  constraint live_browsers_id_key UNIQUE (id),
  constraint live_browsers_pkey PRIMARY KEY (channel_id),
  constraint live_browsers_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table live_browsers is 'Browsers that stream: the last one of each channel.';
comment on column live_browsers.has_begun is 'Whether a part of a stream was recorded. It may only continue that stream.';

create table live_channels (
  user_id text not null,
  is_allowed boolean not null default false,
  key_nonce text,
  key_hash bytea,
  title text not null default ''::text,
  description text not null default ''::text,
  visibility text not null default 'private'::text,
  keeps_recording boolean not null default true,
  refused_at timestamp(3) with time zone,
  refusal text,
  constraint live_channels_key_hash_key UNIQUE (key_hash),
  constraint live_channels_pkey PRIMARY KEY (user_id),
  constraint live_channels_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint live_channels_check CHECK (((key_nonce IS NULL) = (key_hash IS NULL))),
  constraint live_channels_visibility_check CHECK ((visibility = ANY (ARRAY['public'::text, 'unlisted'::text, 'members'::text, 'private'::text])))
);
comment on table live_channels is 'Stream keys of channels as hashes, and the templates of their streams.';
comment on column live_channels.is_allowed is 'An administrator allows it, whatever the role.';
comment on column live_channels.key_nonce is 'The key is an HMAC of this with the secret of the site, so that it can be shown again.';
comment on column live_channels.refusal is 'Why the last encoder was refused.';

create table live_chunks (
  video_id text not null,
  part integer not null,
  chunk integer not null,
  start_micros bigint not null,
  end_micros bigint not null,
  audio_start_micros bigint not null,
  audio_end_micros bigint not null,
  video bytea not null,
  audio bytea,
  received_at timestamp(3) with time zone not null,
  constraint live_chunks_pkey PRIMARY KEY (video_id, part, chunk),
  constraint live_chunks_chunk_check CHECK ((chunk >= 0)),
  constraint live_chunks_part_check CHECK ((part >= 0))
);
comment on table live_chunks is 'Frames of the part of a live stream that is not complete, and of the last parts, for viewers with low latency.';
comment on column live_chunks.audio is 'Null if no sound arrived since the chunk before.';

create table live_parts (
  video_id text not null,
  part integer not null,
  start_micros bigint not null,
  end_micros bigint not null,
  audio_start_micros bigint not null,
  audio_end_micros bigint not null,
  position bigint not null,
  video_bytes integer not null,
  audio_bytes integer not null,
  received_at timestamp(3) with time zone not null,
  is_resumed boolean not null default false,
  file integer not null default 0,
  constraint live_parts_pkey PRIMARY KEY (video_id, part),
  constraint live_parts_video_id_fkey FOREIGN KEY (video_id) REFERENCES live_streams(video_id) ON DELETE CASCADE,
  constraint live_parts_part_check CHECK ((part >= 0))
);
comment on table live_parts is 'Parts of the recording of a live stream: a group of pictures and its sound. Each is a segment of the live playlists.';
comment on column live_parts.position is 'First byte of the video in its file; its audio follows.';
comment on column live_parts.is_resumed is 'The first of a connection after another one.';
comment on column live_parts.file is 'Number of the file of the recording: of one that is kept on a disk, all parts are in the first; in a bucket, each is an object.';

create table live_pieces (
  channel_id text not null,
  piece integer not null,
  content bytea not null,
  received_at timestamp(3) with time zone not null,
  constraint live_pieces_pkey PRIMARY KEY (channel_id, piece),
  constraint live_pieces_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES live_browsers(channel_id) ON DELETE CASCADE,
  constraint live_pieces_piece_check CHECK ((piece >= 0))
);
comment on table live_pieces is 'Pieces of streams that browsers have sent, and that the ingest process has not recorded yet.';

create table live_shows (
  id text not null,
  channel_id text not null,
  title text not null,
  description text not null default ''::text,
  visibility text not null,
  keeps_recording boolean not null,
  created_at timestamp(3) with time zone not null,
  constraint live_shows_pkey PRIMARY KEY (id),
  constraint live_shows_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint live_shows_visibility_check CHECK ((visibility = ANY (ARRAY['public'::text, 'unlisted'::text, 'members'::text, 'private'::text])))
);
comment on table live_shows is 'Templates of shows that a channel streams again and again.';

CREATE INDEX live_shows_by_channel ON public.live_shows USING btree (channel_id, created_at);

create table live_streams (
  video_id text not null,
  channel_id text not null,
  format text not null,
  init bytea not null,
  keeps_recording boolean not null,
  is_connected boolean not null default true,
  started_at timestamp(3) with time zone not null,
  seen_at timestamp(3) with time zone not null,
  end_requested text,
  ended_at timestamp(3) with time zone,
  end_reason text,
  health jsonb,
  peak_viewers integer not null default 0,
  dropped_parts integer not null default 0,
  dropped_sounds integer not null default 0,
  renditions text[] not null default '{}'::text[],
  is_from_browser boolean not null default false,
  constraint live_streams_pkey PRIMARY KEY (video_id),
  constraint live_streams_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint live_streams_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
comment on table live_streams is 'Live streams, also those that ended. A channel has at most one that runs.';
comment on column live_streams.format is 'Hash of the codec configurations. Only a connection with the same continues the stream.';
comment on column live_streams.init is 'Beginning of the recording: ftyp and moov.';
comment on column live_streams.seen_at is 'When the last part arrived.';
comment on column live_streams.end_requested is 'Reason for which the ingest process shall end it.';
comment on column live_streams.dropped_parts is 'Parts that were deleted while the stream runs: the first one is of this number.';
comment on column live_streams.dropped_sounds is 'Those of them that had sound.';
comment on column live_streams.renditions is 'Renditions that the machine encodes faster than the stream plays, as measured with its first part.';
comment on column live_streams.is_from_browser is 'Whether a browser sends it. Otherwise an encoder does.';

CREATE INDEX live_streams_by_channel ON public.live_streams USING btree (channel_id, started_at DESC);

CREATE INDEX live_streams_ended ON public.live_streams USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE UNIQUE INDEX live_streams_running ON public.live_streams USING btree (channel_id) WHERE (ended_at IS NULL);

create table live_viewers (
  video_id text not null,
  process text not null,
  viewers integer not null,
  counted_at timestamp(3) with time zone not null,
  constraint live_viewers_pkey PRIMARY KEY (video_id, process),
  constraint live_viewers_video_id_fkey FOREIGN KEY (video_id) REFERENCES live_streams(video_id) ON DELETE CASCADE
);
comment on table live_viewers is 'Viewers of live streams now, as each web process counts them.';

create table mail_codes (
  code_hash bytea not null,
  user_id text collate "C",
  purpose text not null,
  expires_at timestamp(3) with time zone not null,
  email text,
  registration_id text collate "C",
  constraint mail_codes_pkey PRIMARY KEY (code_hash),
  constraint mail_codes_registration_id_fkey FOREIGN KEY (registration_id) REFERENCES registrations(id) ON DELETE CASCADE,
  constraint mail_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table mail_codes is 'Single-use codes in links that are sent by mail.';
comment on column mail_codes.user_id is 'Null for the code of a registration.';
comment on column mail_codes.email is 'The address that the mail went to.';

CREATE INDEX mail_codes_registration_id ON public.mail_codes USING btree (registration_id) WHERE (registration_id IS NOT NULL);

CREATE INDEX mail_codes_user_id ON public.mail_codes USING btree (user_id);

create table mail_frequencies (
  user_id text collate "C" not null,
  frequency text not null,
  hour integer not null,
  constraint mail_frequencies_pkey PRIMARY KEY (user_id),
  constraint mail_frequencies_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint mail_frequencies_frequency_check CHECK ((frequency = ANY (ARRAY['immediate'::text, 'daily'::text]))),
  constraint mail_frequencies_hour_check CHECK (((hour >= 0) AND (hour <= 23)))
);
comment on table mail_frequencies is 'When users get notifications by mail. Without a row they get none.';
comment on column mail_frequencies.hour is 'Of the daily mail, in UTC.';

CREATE INDEX mail_frequencies_daily ON public.mail_frequencies USING btree (hour, user_id) WHERE (frequency = 'daily'::text);

create table mailed_notifications (
  user_id text collate "C" not null,
  kind text not null,
  constraint mailed_notifications_pkey PRIMARY KEY (user_id, kind),
  constraint mailed_notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table mailed_notifications is 'Kinds of notifications that a user gets by mail.';

create table migrations (
  name text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (name)
);

create table muted_notifications (
  user_id text collate "C" not null,
  kind text not null,
  constraint muted_notifications_pkey PRIMARY KEY (user_id, kind),
  constraint muted_notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table muted_notifications is 'Kinds of notifications that a user has switched off.';

create table muted_people (
  user_id text collate "C" not null,
  person_id text collate "C" not null,
  is_blocked boolean not null,
  muted_at timestamp(3) with time zone not null default now(),
  constraint muted_people_pkey PRIMARY KEY (user_id, person_id),
  constraint muted_people_person_id_fkey FOREIGN KEY (person_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint muted_people_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table muted_people is 'People whose videos and comments a user does not see.';
comment on column muted_people.is_blocked is 'Blocked people cannot comment to the user either.';

CREATE INDEX muted_people_person_id ON public.muted_people USING btree (person_id);

create table muted_pushes (
  user_id text collate "C" not null,
  kind text not null,
  constraint muted_pushes_pkey PRIMARY KEY (user_id, kind),
  constraint muted_pushes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table muted_pushes is 'Kinds of notifications that a user does not want by push.';

create table notification_mails (
  notification_id bigint not null,
  user_id text collate "C" not null,
  constraint notification_mails_pkey PRIMARY KEY (notification_id),
  constraint notification_mails_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES notifications(id) ON DELETE CASCADE,
  constraint notification_mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table notification_mails is 'Notifications that wait to be mailed. Triggers on notifications add them. They are deleted with the notification, and then not mailed.';

CREATE INDEX notification_mails_user_id ON public.notification_mails USING btree (user_id, notification_id);

create table notification_pushes (
  notification_id bigint not null,
  user_id text collate "C" not null,
  constraint notification_pushes_pkey PRIMARY KEY (notification_id),
  constraint notification_pushes_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES notifications(id) ON DELETE CASCADE,
  constraint notification_pushes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table notification_pushes is 'Notifications that wait to be pushed. Triggers on notifications add them. They are deleted with the notification, and then not pushed.';

CREATE INDEX notification_pushes_user_id ON public.notification_pushes USING btree (user_id);

create table notifications (
  id bigint not null generated always as identity,
  user_id text collate "C" not null,
  kind text not null,
  video_id text collate "C",
  comment_id text collate "C",
  actor_id text collate "C",
  actors_count integer not null default 1,
  is_read boolean not null default false,
  created_at timestamp(3) with time zone not null default now(),
  began_at timestamp(3) with time zone not null default now(),
  report_id bigint,
  device text,
  constraint notifications_pkey PRIMARY KEY (id),
  constraint notifications_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint notifications_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES comments(id) ON DELETE CASCADE,
  constraint notifications_report_id_fkey FOREIGN KEY (report_id) REFERENCES reports(id) ON DELETE CASCADE,
  constraint notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint notifications_kind_check CHECK ((kind = ANY (ARRAY['video'::text, 'comment'::text, 'subscriber'::text, 'processing'::text, 'reply'::text, 'mention'::text, 'report'::text, 'moderation'::text, 'sign_in'::text, 'webhook'::text, 'to_decide'::text, 'collaboration'::text, 'handover'::text, 'premiere'::text, 'live_expired'::text]))) NOT VALID
);
comment on table notifications is 'Notifications of users. A row refers to its subject; lists read texts and visibility of the subject.';
comment on column notifications.video_id is 'Of a video that may be deleted already. No foreign key, so that a deletion does not wait for the notifications of all subscribers; a job deletes them.';
comment on column notifications.actor_id is 'The user who caused it; the last one of a group.';
comment on column notifications.began_at is 'When a group of new subscribers began: ending a subscription takes only those out of it that began since.';
comment on column notifications.device is 'Of a sign-in.';

CREATE INDEX notifications_actor_id ON public.notifications USING btree (actor_id) WHERE (actor_id IS NOT NULL);

CREATE INDEX notifications_created_at ON public.notifications USING brin (created_at);

CREATE INDEX notifications_newest ON public.notifications USING btree (user_id, created_at DESC, id DESC);

CREATE UNIQUE INDEX notifications_of_comment ON public.notifications USING btree (comment_id, user_id) WHERE (comment_id IS NOT NULL);

CREATE UNIQUE INDEX notifications_of_report ON public.notifications USING btree (report_id, user_id) WHERE (report_id IS NOT NULL);

CREATE UNIQUE INDEX notifications_of_subscribers ON public.notifications USING btree (user_id) WHERE ((kind = 'subscriber'::text) AND (NOT is_read));

CREATE UNIQUE INDEX notifications_of_video ON public.notifications USING btree (video_id, user_id, kind) WHERE (kind = ANY (ARRAY['video'::text, 'processing'::text]));

CREATE UNIQUE INDEX notifications_to_decide ON public.notifications USING btree (user_id) WHERE (kind = 'to_decide'::text);

CREATE INDEX notifications_video_id ON public.notifications USING btree (video_id) WHERE (video_id IS NOT NULL);

CREATE TRIGGER count_added_notifications AFTER INSERT ON notifications REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_notifications();

CREATE TRIGGER count_deleted_notifications AFTER DELETE ON notifications REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_notifications();

CREATE TRIGGER count_read_notifications AFTER UPDATE ON notifications REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_read_notifications();

CREATE TRIGGER queue_notification_mail_again AFTER UPDATE OF created_at ON notifications FOR EACH ROW WHEN (new.kind <> 'subscriber'::text) EXECUTE FUNCTION queue_notification_mail_again();

CREATE TRIGGER queue_notification_mails AFTER INSERT ON notifications REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION queue_notification_mails();

CREATE TRIGGER queue_notification_push_again AFTER UPDATE OF created_at ON notifications FOR EACH ROW WHEN (new.kind <> 'subscriber'::text) EXECUTE FUNCTION queue_notification_push_again();

CREATE TRIGGER queue_notification_pushes AFTER INSERT ON notifications REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION queue_notification_pushes();

create table oidc_identities (
  issuer text collate "C" not null,
  subject text collate "C" not null,
  user_id text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone,
  constraint oidc_identities_user_id_issuer_key UNIQUE (user_id, issuer),
  constraint oidc_identities_pkey PRIMARY KEY (issuer, subject),
  constraint oidc_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table oidc_identities is 'Accounts at identity providers with which people sign in (OpenID Connect).';

create table oidc_requests (
  state_hash bytea not null,
  browser_hash bytea not null,
  issuer text collate "C" not null,
  nonce text not null,
  code_verifier text not null,
  user_id text collate "C",
  invitation text not null,
  expires_at timestamp(3) with time zone not null,
  constraint oidc_requests_pkey PRIMARY KEY (state_hash),
  constraint oidc_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table oidc_requests is 'Requests to identity providers that wait for their response.';
comment on column oidc_requests.browser_hash is 'Of a cookie: only the browser that began may finish.';
comment on column oidc_requests.user_id is 'The account that is linked; null for a sign-in.';

CREATE INDEX oidc_requests_user_id ON public.oidc_requests USING btree (user_id) WHERE (user_id IS NOT NULL);

create table passkey_challenges (
  challenge text collate "C" not null,
  user_id text collate "C",
  expires_at timestamp(3) with time zone not null,
  constraint passkey_challenges_pkey PRIMARY KEY (challenge),
  constraint passkey_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table passkey_challenges is 'Challenges that wait for the signature of a passkey.';
comment on column passkey_challenges.user_id is 'Null for a sign-in.';

CREATE INDEX passkey_challenges_user_id ON public.passkey_challenges USING btree (user_id) WHERE (user_id IS NOT NULL);

create table passkeys (
  id text collate "C" not null,
  user_id text collate "C" not null,
  public_key bytea not null,
  counter bigint not null,
  name text not null,
  created_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone,
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table passkeys is 'Public keys with which people sign in (WebAuthn).';

CREATE INDEX passkeys_user_id ON public.passkeys USING btree (user_id);

create table paused_histories (
  user_id text collate "C" not null,
  paused_at timestamp(3) with time zone not null default now(),
  constraint paused_histories_pkey PRIMARY KEY (user_id),
  constraint paused_histories_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table paused_histories is 'Users whose history is paused.';

create table pending_playbacks (
  video_id text collate "C" not null,
  day date not null,
  playbacks integer not null,
  watched_seconds double precision not null,
  retention integer[] not null,
  sources jsonb not null,
  captions jsonb not null,
  qualities jsonb not null,
  constraint pending_playbacks_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
comment on table pending_playbacks is 'Playback reports that a job adds to daily_playbacks.';

CREATE INDEX pending_playbacks_video_id ON public.pending_playbacks USING btree (video_id);

create table pending_views (
  video_id text collate "C" not null,
  viewed_at timestamp(3) with time zone not null default now(),
  number bigint not null generated always as identity,
  views integer not null default 1,
  constraint pending_views_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
comment on table pending_views is 'Views that a job adds to videos.views and daily_views, so that no viewer waits for a popular row.';
comment on column pending_views.number is 'Order of arrival. Every hundredth enqueues the job, whichever process receives it.';
comment on column pending_views.views is 'Views of one moment, so that a popular video needs few rows.';

CREATE INDEX pending_views_video_id ON public.pending_views USING btree (video_id);

create table playlist_entries (
  id text collate "C" not null,
  playlist_id text collate "C" not null,
  video_id text collate "C",
  position text collate "C" not null,
  added_at timestamp(3) with time zone not null default now(),
  constraint playlist_entries_playlist_id_position_key UNIQUE (playlist_id, "position") DEFERRABLE,
  constraint playlist_entries_playlist_id_video_id_key UNIQUE (playlist_id, video_id),
  constraint playlist_entries_pkey PRIMARY KEY (id),
  constraint playlist_entries_playlist_id_fkey FOREIGN KEY (playlist_id) REFERENCES playlists(id) ON DELETE CASCADE,
  constraint playlist_entries_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE SET NULL
);
comment on table playlist_entries is 'Videos of a playlist.';
comment on column playlist_entries.video_id is 'Null once the video is deleted: the entry keeps its position.';
comment on column playlist_entries.position is 'A fractional key between those of its neighbours: moving an entry changes no other row.';

CREATE INDEX playlist_entries_video_id ON public.playlist_entries USING btree (video_id);

create table playlists (
  id text collate "C" not null,
  owner_id text collate "C" not null,
  is_watch_later boolean not null default false,
  title text not null,
  description text not null default ''::text,
  visibility text not null default 'private'::text,
  entries_count integer not null default 0,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint playlists_pkey PRIMARY KEY (id),
  constraint playlists_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint playlists_visibility_check CHECK ((visibility = ANY (ARRAY['private'::text, 'unlisted'::text, 'public'::text])))
);
comment on table playlists is 'Lists of videos of an account.';
comment on column playlists.is_watch_later is 'The playlist that every account has, created on first use.';
comment on column playlists.entries_count is 'Updated together with the entries, under the lock of the row.';

CREATE INDEX playlists_owner_id ON public.playlists USING btree (owner_id, updated_at DESC, id DESC);

CREATE UNIQUE INDEX playlists_watch_later ON public.playlists USING btree (owner_id) WHERE is_watch_later;

create table prepared_runs (
  video_id text collate "C" not null,
  run integer not null,
  constraint prepared_runs_pkey PRIMARY KEY (video_id, run),
  constraint prepared_runs_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
comment on table prepared_runs is 'Runs of segments that are encoded, while a video is being prepared.';

create table private_subscriptions (
  user_id text collate "C" not null,
  constraint private_subscriptions_pkey PRIMARY KEY (user_id),
  constraint private_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table private_subscriptions is 'Accounts that show the channels they subscribe to nobody else.';

create table push_subscriptions (
  id bigint not null generated always as identity,
  session_hash bytea not null,
  user_id text collate "C" not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint push_subscriptions_endpoint_key UNIQUE (endpoint),
  constraint push_subscriptions_session_hash_key UNIQUE (session_hash),
  constraint push_subscriptions_pkey PRIMARY KEY (id),
  constraint push_subscriptions_session_hash_fkey FOREIGN KEY (session_hash) REFERENCES sessions(token_hash) ON DELETE CASCADE,
  constraint push_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table push_subscriptions is 'Browsers that get notifications by web push. A subscription ends with the session that made it.';
comment on column push_subscriptions.p256dh is 'Public key of the browser (RFC 8291), in base64url.';
comment on column push_subscriptions.auth is 'Secret of the browser (RFC 8291), in base64url.';

CREATE INDEX push_subscriptions_user_id ON public.push_subscriptions USING btree (user_id, created_at);

create table rate_limits (
  key text not null,
  window_ends_at timestamp(3) with time zone not null,
  taken integer not null,
  constraint rate_limits_pkey PRIMARY KEY (key)
);
comment on table rate_limits is 'Calls within the current window of a rate limit.';

CREATE INDEX rate_limits_window_ends_at ON public.rate_limits USING btree (window_ends_at);

create table recovery_codes (
  user_id text collate "C" not null,
  code_hash bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table recovery_codes is 'Unused codes that replace an authenticator app, each once.';

create table registrations (
  id text collate "C" not null,
  username text not null,
  email text not null,
  fullname text not null,
  password_hash text not null,
  avatar text collate "C" not null,
  cover_image text collate "C",
  created_at timestamp(3) with time zone not null default now(),
  awaits_approval boolean not null,
  invitation_id text collate "C",
  constraint registrations_pkey PRIMARY KEY (id),
  constraint registrations_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES invitations(id) ON DELETE SET NULL
);
comment on table registrations is 'Accounts that exist once their address is confirmed, under the same id. Those for the address of an account are never confirmed, so that a response does not tell them apart.';

CREATE INDEX registrations_created_at ON public.registrations USING btree (created_at);

CREATE INDEX registrations_email ON public.registrations USING btree (lower(email));

CREATE INDEX registrations_invitation_id ON public.registrations USING btree (invitation_id) WHERE (invitation_id IS NOT NULL);

CREATE UNIQUE INDEX registrations_username_key ON public.registrations USING btree (lower(username));

create table rejected_emails (
  user_id text collate "C" not null,
  email text not null,
  rejections integer not null default 1,
  constraint rejected_emails_pkey PRIMARY KEY (user_id),
  constraint rejected_emails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table rejected_emails is 'Addresses that the mail server has rejected for good. They count while the account has the same address.';

create table report_entries (
  report_id bigint not null,
  reporter_id text collate "C" not null,
  reason text not null,
  text text not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint report_entries_pkey PRIMARY KEY (report_id, reporter_id),
  constraint report_entries_report_id_fkey FOREIGN KEY (report_id) REFERENCES reports(id) ON DELETE CASCADE,
  constraint report_entries_reporter_id_fkey FOREIGN KEY (reporter_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table report_entries is 'People who reported it, with their reasons.';

CREATE INDEX report_entries_reporter_id ON public.report_entries USING btree (reporter_id);

create table reports (
  id bigint not null generated always as identity,
  kind text not null,
  subject_id text collate "C" not null,
  owner_id text collate "C" not null,
  title text not null,
  created_at timestamp(3) with time zone not null default now(),
  decision text,
  note text not null default ''::text,
  decided_by text,
  decided_at timestamp(3) with time zone,
  answer text,
  answered_at timestamp(3) with time zone,
  constraint reports_pkey PRIMARY KEY (id),
  constraint reports_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint reports_decision_check CHECK ((decision = ANY (ARRAY['dismiss'::text, 'remove'::text]))),
  constraint reports_kind_check CHECK ((kind = ANY (ARRAY['video'::text, 'comment'::text, 'channel'::text, 'clip'::text])))
);
comment on table reports is 'Reports about one video, comment, channel or clip, and the decision of a moderator about them.';
comment on column reports.subject_id is 'No foreign key: a report outlives its subject.';
comment on column reports.answer is 'Of the owner to the decision, once.';

CREATE UNIQUE INDEX reports_open ON public.reports USING btree (kind, subject_id) WHERE (decision IS NULL);

CREATE INDEX reports_owner_id ON public.reports USING btree (owner_id);

create table resumable_uploads (
  id text collate "C" not null,
  size_bytes bigint,
  metadata jsonb not null,
  source_key text not null,
  parts_id text not null,
  part_bytes bigint not null,
  part_tags text[] not null default '{}'::text[],
  received_bytes bigint not null default 0,
  tail_key text,
  writer text,
  touched_at timestamp(3) with time zone not null,
  constraint resumable_uploads_pkey PRIMARY KEY (id)
);
comment on table resumable_uploads is 'Running uploads into a bucket, which any web process can continue. Parts have equal sizes; bytes after the last whole part are an object of their own, the tail.';
comment on column resumable_uploads.size_bytes is 'Null until the client announces it.';
comment on column resumable_uploads.metadata is 'Metadata of the client, and the id of the user.';
comment on column resumable_uploads.parts_id is 'Name of the multipart upload in the bucket.';
comment on column resumable_uploads.writer is 'The request that continues the upload; bytes of earlier requests are rejected.';

CREATE INDEX resumable_uploads_touched_at ON public.resumable_uploads USING btree (touched_at);

create table search_vocabulary (
  word text collate "C" not null,
  variants text[] collate "C" not null,
  videos_count integer not null default 1,
  constraint search_vocabulary_pkey PRIMARY KEY (word)
);
comment on table search_vocabulary is 'Words of public videos, for beginnings of words and typing mistakes. Others stay out, because corrections and completions reveal them.';
comment on column search_vocabulary.videos_count is 'Counted again by a job.';

CREATE INDEX search_vocabulary_endings ON public.search_vocabulary USING btree (reverse(word));

CREATE INDEX search_vocabulary_inner_parts ON public.search_vocabulary USING gin (search_endings(word));

CREATE INDEX search_vocabulary_runs ON public.search_vocabulary USING gin (search_run_endings(word)) WHERE ((word >= '฀'::text) AND (word < '᠀'::text) AND (length(word) > 1));

CREATE INDEX search_vocabulary_variants ON public.search_vocabulary USING gin (variants);

create table second_factors (
  user_id text collate "C" not null,
  secret text not null,
  is_confirmed boolean not null default false,
  last_step bigint not null default 0,
  constraint second_factors_pkey PRIMARY KEY (user_id),
  constraint second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table second_factors is 'Authenticator apps (RFC 6238).';
comment on column second_factors.is_confirmed is 'A secret counts once a first code has confirmed it.';
comment on column second_factors.last_step is 'Time step of the last accepted code: none works twice.';

create table sessions (
  token_hash bytea not null,
  user_id text collate "C" not null,
  created_at timestamp(3) with time zone not null default now(),
  expires_at timestamp(3) with time zone not null,
  used_at timestamp with time zone not null default now(),
  device text not null default ''::text,
  constraint sessions_pkey PRIMARY KEY (token_hash),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table sessions is 'Sign-ins, each in one browser.';
comment on column sessions.token_hash is 'SHA-256 of the token in the cookie.';
comment on column sessions.used_at is 'About the last use. The least recently used session of an account ends first.';
comment on column sessions.device is 'Browser and system, as the list of sessions shows them.';

CREATE INDEX sessions_expires_at ON public.sessions USING btree (expires_at);

CREATE INDEX sessions_user_id ON public.sessions USING btree (user_id);

create table setup_token (
  only_row boolean not null default true,
  token_hash bytea not null,
  constraint setup_token_pkey PRIMARY KEY (only_row),
  constraint setup_token_only_row_check CHECK (only_row)
);
comment on table setup_token is 'Hash of the secret in the link that sets up an empty site. The last start of the empty site has printed the link.';

create table share_links (
  id text collate "C" not null,
  video_id text collate "C",
  name text not null,
  secret text collate "C" not null,
  password_hash text,
  expires_at timestamp(3) with time zone,
  max_viewers integer,
  allows_download boolean not null,
  viewers integer not null default 0,
  created_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone,
  playlist_id text collate "C",
  is_listed boolean not null default false,
  shows_picture boolean not null default false,
  constraint share_links_secret_key UNIQUE (secret),
  constraint share_links_pkey PRIMARY KEY (id),
  constraint share_links_playlist_id_fkey FOREIGN KEY (playlist_id) REFERENCES playlists(id) ON DELETE CASCADE,
  constraint share_links_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE,
  constraint share_links_listed_check CHECK (((NOT is_listed) OR ((video_id IS NOT NULL) AND (password_hash IS NOT NULL)))),
  constraint share_links_subject_check CHECK ((num_nonnulls(video_id, playlist_id) = 1))
);
comment on table share_links is 'Links with which people without an account watch one video, or the videos of one playlist.';
comment on column share_links.secret is 'Not a hash: its owner copies the link again.';
comment on column share_links.is_listed is 'Whether lists show the video with a lock.';
comment on column share_links.shows_picture is 'Whether they show its picture, too.';

CREATE UNIQUE INDEX share_links_listed ON public.share_links USING btree (video_id) WHERE is_listed;

CREATE INDEX share_links_playlist ON public.share_links USING btree (playlist_id) WHERE (playlist_id IS NOT NULL);

CREATE INDEX share_links_video ON public.share_links USING btree (video_id);

create table share_visits (
  token_hash bytea not null,
  link_id text collate "C" not null,
  opened_at timestamp(3) with time zone not null,
  constraint share_visits_pkey PRIMARY KEY (token_hash),
  constraint share_visits_link_id_fkey FOREIGN KEY (link_id) REFERENCES share_links(id) ON DELETE CASCADE
);
comment on table share_visits is 'Browsers that opened a share link; their token is part of the addresses of its files.';

CREATE INDEX share_visits_link ON public.share_visits USING btree (link_id);

CREATE INDEX share_visits_opened ON public.share_visits USING btree (opened_at);

create table site (
  only_row boolean not null default true,
  storage_id text not null,
  constraint site_pkey PRIMARY KEY (only_row),
  constraint site_only_row_check CHECK (only_row)
);
comment on table site is 'The storage of this database. The storage has the same id in the object "site-id", so that neither is used with another one: clean-ups delete objects without a row.';

create table site_secret (
  is_only boolean not null default true,
  secret bytea not null,
  constraint site_secret_pkey PRIMARY KEY (is_only),
  constraint site_secret_is_only_check CHECK (is_only)
);
comment on table site_secret is 'A random secret with which addresses and names are hashed before they are stored. The first process that needs it creates it; a backup contains it.';

create table site_settings (
  name text collate "C" not null,
  value jsonb not null,
  constraint site_settings_pkey PRIMARY KEY (name)
);
comment on table site_settings is 'Settings of administrators, by name: name of the site, colour, texts, who may register.';

create table speech_recognizers (
  id text collate "C" not null,
  seen_at timestamp with time zone not null default now(),
  constraint speech_recognizers_pkey PRIMARY KEY (id)
);
comment on table speech_recognizers is 'When workers last could recognize speech, which web processes on other machines cannot see.';

create table storage_measurement (
  only_row boolean not null default true,
  picture_bytes bigint not null,
  segment_bytes bigint not null,
  freed_bytes bigint not null,
  measured_at timestamp(3) with time zone not null,
  constraint storage_measurement_pkey PRIMARY KEY (only_row),
  constraint storage_measurement_only_row_check CHECK (only_row)
);
comment on table storage_measurement is 'Sizes of files that no row knows, as a job has added them up.';
comment on column storage_measurement.freed_bytes is 'By the eviction before it.';

create table subscriptions (
  subscriber_id text collate "C" not null,
  channel_id text collate "C" not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint subscriptions_pkey PRIMARY KEY (subscriber_id, channel_id),
  constraint subscriptions_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint subscriptions_subscriber_id_fkey FOREIGN KEY (subscriber_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table subscriptions is 'Channels that users follow.';

CREATE INDEX subscriptions_newest ON public.subscriptions USING btree (subscriber_id, created_at DESC, channel_id DESC);

CREATE INDEX subscriptions_of_channel ON public.subscriptions USING btree (channel_id, subscriber_id);

create table track_bitrates (
  video_id text collate "C" not null,
  track text collate "C" not null,
  peak_bps integer not null,
  average_bps integer not null,
  constraint track_bitrates_pkey PRIMARY KEY (video_id, track),
  constraint track_bitrates_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
comment on table track_bitrates is 'Bits per second of the segments of a track of the current file, measured once all of them exist. Until then playlists state estimates.';

create table track_uses (
  video_id text collate "C" not null,
  track text not null,
  used_at timestamp(3) with time zone not null,
  constraint track_uses_pkey PRIMARY KEY (video_id, track),
  constraint track_uses_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
comment on table track_uses is 'Last request for a rendition or audio track of a video. The segments of the least recently used are evicted first.';

create table transcription_parts (
  video_id text collate "C" not null,
  from_seconds real not null,
  to_seconds real not null,
  words jsonb not null,
  constraint transcription_parts_pkey PRIMARY KEY (video_id, from_seconds),
  constraint transcription_parts_video_id_fkey FOREIGN KEY (video_id) REFERENCES transcriptions(video_id) ON DELETE CASCADE
);
comment on table transcription_parts is 'Words that were recognized so far, so that a killed worker repeats one part at most.';

create table transcriptions (
  video_id text collate "C" not null,
  is_enabled boolean,
  state text not null default 'none'::text,
  requested_at timestamp with time zone,
  language text,
  is_detected boolean not null default false,
  replacement text,
  progress real not null default 0,
  failure text,
  cause jsonb,
  seconds_recognized real not null default 0,
  seconds_taken real not null default 0,
  changed_at timestamp with time zone not null default now(),
  failed_attempts integer not null default 0,
  dismissed_at timestamp with time zone,
  constraint transcriptions_pkey PRIMARY KEY (video_id),
  constraint transcriptions_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE,
  constraint transcriptions_state_check CHECK ((state = ANY (ARRAY['none'::text, 'waiting'::text, 'running'::text, 'done'::text, 'silent'::text, 'skipped'::text, 'failed'::text])))
);
comment on table transcriptions is 'State of the speech recognition of each video, and the choice of its owner.';
comment on column transcriptions.is_enabled is 'Null where the choice of the channel counts.';
comment on column transcriptions.requested_at is 'When the owner asked for it, whatever the policy of the site; else null.';
comment on column transcriptions.language is 'BCP 47: asked for, or detected.';
comment on column transcriptions.replacement is 'Of the video when it began: names the file.';
comment on column transcriptions.failed_attempts is 'Attempts with this file that failed, whatever the reason.';
comment on column transcriptions.dismissed_at is 'When an administrator took it off the list of failures.';

CREATE INDEX transcriptions_failed ON public.transcriptions USING btree (changed_at) WHERE ((state = 'failed'::text) AND (dismissed_at IS NULL));

CREATE INDEX transcriptions_measured ON public.transcriptions USING btree (changed_at) WHERE (seconds_recognized > (0)::double precision);

CREATE INDEX transcriptions_open ON public.transcriptions USING btree (requested_at) WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text]));

create table unread_notifications (
  user_id text collate "C" not null,
  unread integer not null,
  constraint unread_notifications_pkey PRIMARY KEY (user_id),
  constraint unread_notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table unread_notifications is 'Numbers of unread notifications. Triggers on notifications keep them.';

create table upload_drafts (
  upload_id text collate "C" not null,
  owner_id text collate "C" not null,
  title text not null,
  description text not null,
  visibility text not null,
  updated_at timestamp(3) with time zone not null,
  constraint upload_drafts_pkey PRIMARY KEY (upload_id),
  constraint upload_drafts_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table upload_drafts is 'Texts of resumable uploads that are not published. A draft is valid while its upload exists, which may be outside of the database; a job deletes old ones.';

CREATE INDEX upload_drafts_owner ON public.upload_drafts USING btree (owner_id);

create table upload_requests (
  owner_id text collate "C" not null,
  key text not null,
  video_id text collate "C" not null,
  request_id text not null,
  constraint upload_requests_video_id_key UNIQUE (video_id),
  constraint upload_requests_pkey PRIMARY KEY (owner_id, key),
  constraint upload_requests_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint upload_requests_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);
comment on table upload_requests is 'Uploads in one request that were sent with an Idempotency-Key: a repeated request gets the same video.';
comment on column upload_requests.key is 'Hash of the Idempotency-Key.';
comment on column upload_requests.request_id is 'The request that has returned the video last: only this one may undo its upload.';

create table uploaded_bytes (
  upload_id text not null,
  owner_id text not null,
  bytes bigint not null,
  uploaded_at timestamp with time zone not null,
  constraint uploaded_bytes_pkey PRIMARY KEY (upload_id),
  constraint uploaded_bytes_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table uploaded_bytes is 'Sizes of the uploads of the last days, those of deleted videos included, for quotas per day.';

CREATE INDEX uploaded_bytes_of_owner ON public.uploaded_bytes USING btree (owner_id, uploaded_at);

create table users (
  id text collate "C" not null,
  username text not null,
  email text not null,
  fullname text not null,
  password_hash text not null,
  avatar text not null,
  cover_image text,
  subscribers_count integer not null default 0,
  subscribed_to_count integer not null default 0,
  created_at timestamp(3) with time zone not null default now(),
  suspended_at timestamp(3) with time zone,
  role text not null default 'member'::text,
  awaits_approval boolean not null default false,
  invitation_id text collate "C",
  quota_bytes bigint,
  quota_videos integer,
  has_password boolean not null default true,
  quota_daily_bytes bigint,
  quota_video_minutes integer,
  deletes_at timestamp(3) with time zone,
  language text,
  sensitive_videos text,
  viewing_languages text[],
  clips_allowed boolean,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES invitations(id) ON DELETE SET NULL,
  constraint users_quota_bytes_check CHECK ((quota_bytes > 0)),
  constraint users_quota_daily_bytes_check CHECK ((quota_daily_bytes > 0)),
  constraint users_quota_video_minutes_check CHECK ((quota_video_minutes > 0)),
  constraint users_quota_videos_check CHECK ((quota_videos > 0)),
  constraint users_role_check CHECK ((role = ANY (ARRAY['member'::text, 'moderator'::text, 'administrator'::text]))),
  constraint users_sensitive_videos_check CHECK ((sensitive_videos = ANY (ARRAY['show'::text, 'blur'::text, 'hide'::text])))
);
comment on table users is 'Accounts. Each is a channel, too.';
comment on column users.avatar is 'Id of a picture.';
comment on column users.cover_image is 'Id of a picture.';
comment on column users.suspended_at is 'Suspended accounts cannot log in.';
comment on column users.awaits_approval is 'Registered, and not approved by a moderator; suspended until then.';
comment on column users.quota_bytes is 'This and the other quotas: instead of that of the site, which null stands for.';
comment on column users.has_password is 'False for accounts that an identity provider created, until they set a password.';
comment on column users.deletes_at is 'When an account that its holder deleted is removed; it is suspended until then.';
comment on column users.language is 'Language of the interface, once the account has chosen one.';
comment on column users.sensitive_videos is 'Choice for sensitive videos; null for that of the site.';
comment on column users.viewing_languages is 'Languages of the videos that home and recommendations show; null for all.';
comment on column users.clips_allowed is 'Whether viewers may make clips of the videos of the channel; null for the public ones.';

CREATE INDEX users_avatar ON public.users USING btree (avatar);

CREATE INDEX users_cover_image ON public.users USING btree (cover_image) WHERE (cover_image IS NOT NULL);

CREATE INDEX users_deletes_at ON public.users USING btree (deletes_at) WHERE (deletes_at IS NOT NULL);

CREATE UNIQUE INDEX users_email_key ON public.users USING btree (lower(email));

CREATE INDEX users_invitation_id ON public.users USING btree (invitation_id) WHERE (invitation_id IS NOT NULL);

CREATE INDEX users_newest ON public.users USING btree (created_at DESC, id DESC);

CREATE INDEX users_staff ON public.users USING btree (created_at DESC, id DESC) WHERE (role <> 'member'::text);

CREATE INDEX users_suspended ON public.users USING btree (created_at DESC, id DESC) WHERE (suspended_at IS NOT NULL);

CREATE UNIQUE INDEX users_username_key ON public.users USING btree (lower(username));

CREATE INDEX users_waiting ON public.users USING btree (created_at DESC, id DESC) WHERE awaits_approval;

CREATE TRIGGER delete_pending_email_change AFTER UPDATE OF password_hash ON users FOR EACH ROW WHEN (old.password_hash IS DISTINCT FROM new.password_hash) EXECUTE FUNCTION delete_pending_email_change();

CREATE TRIGGER delete_setup_token AFTER INSERT OR UPDATE OF role ON users FOR EACH ROW WHEN (new.role = 'administrator'::text) EXECUTE FUNCTION delete_setup_token();

CREATE TRIGGER index_inserted_channel AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION index_changed_channel();

CREATE TRIGGER index_renamed_channel AFTER UPDATE OF fullname, username ON users FOR EACH ROW WHEN (old.fullname IS DISTINCT FROM new.fullname OR old.username IS DISTINCT FROM new.username) EXECUTE FUNCTION index_changed_channel();

CREATE TRIGGER index_videos_of_updated_user AFTER UPDATE OF fullname, username ON users FOR EACH ROW WHEN (old.fullname IS DISTINCT FROM new.fullname OR old.username IS DISTINCT FROM new.username) EXECUTE FUNCTION index_videos_of_changed_user();

create table video_cuts (
  video_id text collate "C" not null,
  published_at timestamp(3) with time zone not null,
  keep jsonb,
  is_final boolean not null default false,
  constraint video_cuts_pkey PRIMARY KEY (video_id, published_at),
  constraint video_cuts_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
comment on table video_cuts is 'Cuts of each video and when they were published, so that times written before lead to the same place.';
comment on column video_cuts.keep is 'Null where a cut ended.';
comment on column video_cuts.is_final is 'These ranges became the file of the video.';

CREATE TRIGGER apply_final_cut AFTER INSERT OR UPDATE ON video_cuts FOR EACH ROW WHEN (new.is_final) EXECUTE FUNCTION apply_final_cut();

create table video_embeds (
  video_id text collate "C" not null,
  allowed text not null,
  sites text[] not null,
  constraint video_embeds_pkey PRIMARY KEY (video_id),
  constraint video_embeds_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE,
  constraint video_embeds_allowed_check CHECK ((allowed = ANY (ARRAY['everywhere'::text, 'sites'::text, 'nowhere'::text])))
);
comment on table video_embeds is 'Sites that may embed a video, where that differs from its channel.';

create table video_imports (
  id text collate "C" not null,
  owner_id text collate "C" not null,
  url text not null,
  title text not null,
  visibility text not null,
  state text not null default 'waiting'::text,
  received_bytes bigint not null default 0,
  size_bytes bigint,
  failure text,
  created_at timestamp(3) with time zone not null,
  description text not null default ''::text,
  tags text[] not null default '{}'::text[],
  published_at timestamp(3) with time zone,
  notifies_subscribers boolean not null default true,
  is_retryable boolean not null default false,
  cause jsonb,
  constraint video_imports_pkey PRIMARY KEY (id),
  constraint video_imports_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint video_imports_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'failed'::text])))
);
comment on table video_imports is 'Videos that are fetched from an address. The video gets the id of its import.';
comment on column video_imports.size_bytes is 'Null until the server states it.';
comment on column video_imports.published_at is 'Null for the time of the import.';
comment on column video_imports.is_retryable is 'Of a failure that may pass. A feed begins such an import again.';
comment on column video_imports.cause is 'Reason and values of the failure.';

CREATE INDEX video_imports_owner_id ON public.video_imports USING btree (owner_id, created_at DESC);

create table video_likes (
  video_id text collate "C" not null,
  user_id text collate "C" not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint video_likes_pkey PRIMARY KEY (video_id, user_id),
  constraint video_likes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint video_likes_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
comment on table video_likes is 'Likes of videos; videos.likes_count is their number.';

CREATE INDEX video_likes_user_id ON public.video_likes USING btree (user_id);

create table video_reminders (
  video_id text collate "C" not null,
  user_id text collate "C" not null,
  created_at timestamp(3) with time zone not null default now(),
  notified_at timestamp(3) with time zone,
  constraint video_reminders_pkey PRIMARY KEY (video_id, user_id),
  constraint video_reminders_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint video_reminders_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
comment on table video_reminders is 'People who want to be notified when a premiere begins.';

CREATE INDEX video_reminders_user_id ON public.video_reminders USING btree (user_id);

create table video_search (
  video_id text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  head tsvector not null,
  document tsvector not null,
  is_prominent boolean not null default true,
  is_public boolean not null default true,
  constraint video_search_pkey PRIMARY KEY (video_id),
  constraint video_search_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
comment on table video_search is 'Words of the videos that lists show. Triggers on videos and users maintain it.';
comment on column video_search.head is 'Title and owner: short, so that ranking reads no long description.';
comment on column video_search.is_prominent is 'Very common words are searched among prominent videos only, by partial indexes. New videos are; a job selects the others.';
comment on column video_search.is_public is 'False for videos that only members see.';

CREATE INDEX video_search_are_prominent ON public.video_search USING btree (video_id) WHERE is_prominent;

CREATE INDEX video_search_document ON public.video_search USING gin (document) WITH (fastupdate=off);

CREATE INDEX video_search_newest ON public.video_search USING btree (created_at DESC, video_id DESC);

CREATE INDEX video_search_prominent ON public.video_search USING gin (document) WHERE is_prominent;

CREATE INDEX video_search_prominent_titles ON public.video_search USING gin (ts_filter(head, '{a}'::"char"[])) WHERE is_prominent;

CREATE TRIGGER forget_hidden_words AFTER UPDATE OF is_public ON video_search FOR EACH ROW WHEN (old.is_public AND NOT new.is_public) EXECUTE FUNCTION forget_words_of_video();

create table video_viewers (
  video_id text collate "C" not null,
  user_id text collate "C" not null,
  constraint video_viewers_pkey PRIMARY KEY (video_id, user_id),
  constraint video_viewers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint video_viewers_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
comment on table video_viewers is 'Users who may watch a private video.';

CREATE INDEX video_viewers_user_id ON public.video_viewers USING btree (user_id);

create table videos (
  id text collate "C" not null,
  owner_id text collate "C" not null,
  title text not null,
  description text not null,
  thumbnail text not null,
  source_key text not null,
  size_bytes bigint not null,
  duration_seconds double precision not null,
  width integer not null,
  height integer not null,
  source jsonb not null,
  views bigint not null default 0,
  likes_count integer not null default 0,
  processing_state text not null default 'processing'::text,
  processing_progress real not null default 0,
  processing_reason text,
  has_storyboard boolean not null default false,
  created_at timestamp(3) with time zone not null default now(),
  takedown_reason text,
  visibility text not null default 'public'::text,
  publish_at timestamp(3) with time zone,
  tags text[] not null default '{}'::text[],
  category text,
  language text,
  licence text,
  comments_allowed boolean not null default true,
  downloads_allowed boolean not null default false,
  awaits_publication boolean not null default false,
  comments_held boolean not null default false,
  replacement text,
  held_visibility text,
  is_approved boolean not null default false,
  was_held boolean not null default false,
  preparation integer not null default 0,
  sensitive_reason text,
  sensitive_by_moderator boolean not null default false,
  cut jsonb,
  description_cut jsonb,
  is_live boolean not null default false,
  premiere_at timestamp(3) with time zone,
  chat_from timestamp(3) with time zone,
  chat_until timestamp(3) with time zone,
  clips_allowed boolean,
  plays_intros boolean not null default true,
  announced_visibility text,
  constraint videos_pkey PRIMARY KEY (id),
  constraint videos_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint videos_announced_visibility_check CHECK ((announced_visibility = ANY (ARRAY['public'::text, 'unlisted'::text, 'members'::text, 'private'::text]))),
  constraint videos_held_visibility_check CHECK ((held_visibility = ANY (ARRAY['public'::text, 'unlisted'::text, 'members'::text, 'scheduled'::text]))),
  constraint videos_processing_state_check CHECK ((processing_state = ANY (ARRAY['processing'::text, 'ready'::text, 'failed'::text]))),
  constraint videos_publish_at_check CHECK (((visibility = 'scheduled'::text) = (publish_at IS NOT NULL))),
  constraint videos_tags_check CHECK ((cardinality(tags) <= 15)),
  constraint videos_visibility_check CHECK ((visibility = ANY (ARRAY['public'::text, 'unlisted'::text, 'members'::text, 'private'::text, 'scheduled'::text])))
);
comment on table videos is 'Published videos. A row is inserted once the source is durable and inspected.';
comment on column videos.thumbnail is 'Id of a picture.';
comment on column videos.source_key is 'Storage key of the uploaded file.';
comment on column videos.source is 'SourceInfo of media/probe/probe.ts: the result of the inspection.';
comment on column videos.takedown_reason is 'Set while the video is taken down, which hides it from everybody but its owner.';
comment on column videos.visibility is 'Public, or for everybody with the address, signed-in users, the owner and video_viewers, or the owner until publish_at.';
comment on column videos.publish_at is 'When a scheduled video becomes public.';
comment on column videos.awaits_publication is 'Uploaded as private or scheduled, and not published since: it counts as new from then on.';
comment on column videos.comments_held is 'Comments wait for the approval of the owner.';
comment on column videos.replacement is 'Id of the upload that has replaced the first file. Addresses and keys of segments contain it, because caches keep them for a year.';
comment on column videos.held_visibility is 'Visibility after the approval of a moderator, which the video waits for. Until then it is private, or stays scheduled.';
comment on column videos.is_approved is 'Approved once: further changes of its owner need no approval.';
comment on column videos.was_held is 'Waited for approval when its owner made it private: it waits again once its owner shows it.';
comment on column videos.preparation is 'How often the preparation began again: for another file, or because somebody asked. Tells its events apart.';
comment on column videos.sensitive_reason is 'Why its content is sensitive, as viewers read it; null for videos without the mark.';
comment on column videos.sensitive_by_moderator is 'Whether a moderator has set the mark, which the owner cannot change then.';
comment on column videos.cut is 'Ranges of the file that viewers see, in its seconds; null for all of it.';
comment on column videos.description_cut is 'The cut in force when the times of the description were written: its chapters have the times of that.';
comment on column videos.premiere_at is 'When everybody watches it together for the first time; null for videos without a premiere. Equals publish_at until then.';
comment on column videos.chat_from is 'Position 0 of its chat: when its first frame was or will be shown to everybody; null for videos without a chat.';
comment on column videos.chat_until is 'When its chat closes and is only replayed; null while that is not known.';
comment on column videos.clips_allowed is 'Whether viewers may make clips; null for the choice of the channel.';
comment on column videos.plays_intros is 'Whether players show the intro and the outro of the channel with the video.';
comment on column videos.announced_visibility is 'Of an announced live stream that has not begun: who may see the announcement, and the stream; private once it has expired. Nobody sees such a row as a video. Null for videos.';

CREATE INDEX videos_announced ON public.videos USING btree (owner_id, chat_from) WHERE (announced_visibility IS NOT NULL);

CREATE INDEX videos_category ON public.videos USING btree (category, created_at DESC, id DESC) WHERE ((takedown_reason IS NULL) AND (visibility = ANY (ARRAY['public'::text, 'members'::text])) AND (category IS NOT NULL));

CREATE INDEX videos_coming ON public.videos USING btree (chat_from, id) WHERE (announced_visibility = ANY (ARRAY['public'::text, 'members'::text]));

CREATE INDEX videos_cut ON public.videos USING btree (id) WHERE (cut IS NOT NULL);

CREATE INDEX videos_failed ON public.videos USING btree (created_at) WHERE (processing_state = 'failed'::text);

CREATE INDEX videos_held ON public.videos USING btree (created_at) WHERE (held_visibility IS NOT NULL);

CREATE INDEX videos_hidden ON public.videos USING btree (thumbnail) WHERE ((takedown_reason IS NOT NULL) OR (visibility = ANY (ARRAY['members'::text, 'private'::text, 'scheduled'::text])));

CREATE INDEX videos_newest ON public.videos USING btree (created_at DESC, id DESC);

CREATE INDEX videos_newest_members ON public.videos USING btree (created_at DESC, id DESC) WHERE ((takedown_reason IS NULL) AND (visibility = ANY (ARRAY['public'::text, 'members'::text])));

CREATE INDEX videos_newest_public ON public.videos USING btree (created_at DESC, id DESC) WHERE ((takedown_reason IS NULL) AND (visibility = 'public'::text));

CREATE INDEX videos_owner_newest ON public.videos USING btree (owner_id, created_at DESC, id DESC);

CREATE INDEX videos_owner_visibility ON public.videos USING btree (owner_id, visibility, held_visibility, id) WHERE (takedown_reason IS NULL);

CREATE INDEX videos_premieres ON public.videos USING btree (premiere_at) WHERE (premiere_at IS NOT NULL);

CREATE INDEX videos_processing ON public.videos USING btree (created_at) WHERE (processing_state = 'processing'::text);

CREATE INDEX videos_scheduled ON public.videos USING btree (publish_at) WHERE (visibility = 'scheduled'::text);

CREATE INDEX videos_size ON public.videos USING btree (size_bytes DESC, id);

CREATE INDEX videos_tags ON public.videos USING gin (video_tags(tags, description)) WHERE ((takedown_reason IS NULL) AND (visibility = ANY (ARRAY['public'::text, 'members'::text])));

CREATE INDEX videos_taken_down ON public.videos USING btree (created_at DESC, id DESC) WHERE (takedown_reason IS NOT NULL);

CREATE INDEX videos_thumbnail ON public.videos USING btree (thumbnail);

CREATE INDEX videos_with_chapters ON public.videos USING btree (id) WHERE (description ~ '0:00'::text);

CREATE INDEX videos_with_file_captions ON public.videos USING btree (id) WHERE (((source -> 'captions'::text) -> 0) IS NOT NULL);

CREATE TRIGGER delete_clips_of_file AFTER UPDATE OF replacement ON videos FOR EACH ROW WHEN (new.replacement IS DISTINCT FROM old.replacement) EXECUTE FUNCTION delete_clips_of_file();

CREATE TRIGGER give_video AFTER UPDATE OF owner_id ON videos FOR EACH ROW WHEN (old.owner_id <> new.owner_id) EXECUTE FUNCTION give_video();

CREATE TRIGGER index_given_video AFTER UPDATE OF owner_id ON videos FOR EACH ROW WHEN (old.owner_id <> new.owner_id AND new.takedown_reason IS NULL AND (new.visibility = ANY (ARRAY['public'::text, 'members'::text]))) EXECUTE FUNCTION index_changed_video();

CREATE TRIGGER index_inserted_video AFTER INSERT ON videos FOR EACH ROW WHEN (new.takedown_reason IS NULL AND (new.visibility = ANY (ARRAY['public'::text, 'members'::text]))) EXECUTE FUNCTION index_changed_video();

CREATE TRIGGER index_updated_video AFTER UPDATE OF title, description, takedown_reason, visibility, created_at ON videos FOR EACH ROW WHEN (new.takedown_reason IS NULL AND (new.visibility = ANY (ARRAY['public'::text, 'members'::text])) AND (old.title <> new.title OR old.description <> new.description OR old.takedown_reason IS NOT NULL OR old.visibility <> new.visibility OR old.created_at <> new.created_at)) EXECUTE FUNCTION index_changed_video();

CREATE TRIGGER note_cut_of_description BEFORE UPDATE OF description ON videos FOR EACH ROW WHEN (old.description IS DISTINCT FROM new.description) EXECUTE FUNCTION note_cut_of_description();

CREATE TRIGGER place_chat_messages AFTER UPDATE OF cut ON videos FOR EACH ROW WHEN (old.cut IS DISTINCT FROM new.cut AND old.chat_from IS NOT NULL) EXECUTE FUNCTION place_chat_messages();

CREATE TRIGGER unindex_hidden_video AFTER UPDATE OF takedown_reason, visibility ON videos FOR EACH ROW WHEN (new.takedown_reason IS NOT NULL OR (new.visibility <> ALL (ARRAY['public'::text, 'members'::text]))) EXECUTE FUNCTION unindex_video();

create table watch_history (
  user_id text collate "C" not null,
  video_id text collate "C" not null,
  watched_at timestamp(3) with time zone,
  position_seconds double precision not null default 0,
  is_finished boolean not null default false,
  constraint watch_history_pkey PRIMARY KEY (user_id, video_id),
  constraint watch_history_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint watch_history_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
comment on table watch_history is 'The videos that a user has watched, and where playback continues.';
comment on column watch_history.watched_at is 'Null while only a position is known.';
comment on column watch_history.is_finished is 'Played to the end: the position is 0 then, as at the start.';

CREATE INDEX watch_history_newest ON public.watch_history USING btree (user_id, watched_at DESC);

CREATE INDEX watch_history_video_id ON public.watch_history USING btree (video_id);

create table watched_words (
  user_id text collate "C" not null,
  watched_words text not null,
  watched_words_action text not null,
  constraint watched_words_pkey PRIMARY KEY (user_id),
  constraint watched_words_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint watched_words_watched_words_action_check CHECK ((watched_words_action = ANY (ARRAY['hold'::text, 'refuse'::text])))
);
comment on table watched_words is 'Words that hold or refuse comments on the videos of a channel.';

create table waveforms (
  video_id text collate "C" not null,
  source_key text not null,
  state text not null default 'waiting'::text,
  interval_seconds real not null default 0,
  peaks bytea not null default '\x'::bytea,
  constraint waveforms_pkey PRIMARY KEY (video_id),
  constraint waveforms_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE,
  constraint waveforms_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'ready'::text, 'silent'::text, 'failed'::text])))
);
comment on table waveforms is 'Peaks of the sound of videos whose editors opened the cut editor: one byte for each interval.';
comment on column waveforms.source_key is 'The file that it shows: of another one, it counts as missing.';

create table webhook_deliveries (
  id text collate "C" not null,
  webhook_id text collate "C" not null,
  event text not null,
  subject_id text not null,
  data jsonb not null,
  created_at timestamp(3) with time zone not null default now(),
  next_attempt_at timestamp(3) with time zone default '1970-01-01 00:00:00+00'::timestamp with time zone,
  attempts integer not null default 0,
  is_delivered boolean not null default false,
  status integer,
  problem text,
  duration_ms integer,
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE
);
comment on table webhook_deliveries is 'The last deliveries of each webhook, and those that wait.';
comment on column webhook_deliveries.next_attempt_at is 'Null once it was delivered or given up; new ones are due immediately.';

CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (next_attempt_at) WHERE (next_attempt_at IS NOT NULL);

CREATE UNIQUE INDEX webhook_deliveries_published ON public.webhook_deliveries USING btree (webhook_id, subject_id) WHERE (event = 'video.published'::text);

CREATE INDEX webhook_deliveries_waiting ON public.webhook_deliveries USING btree (subject_id) WHERE (next_attempt_at IS NOT NULL);

CREATE INDEX webhook_deliveries_webhook_id ON public.webhook_deliveries USING btree (webhook_id, created_at DESC);

create table webhooks (
  id text collate "C" not null,
  user_id text collate "C" not null,
  is_site boolean not null,
  url text not null,
  secret text not null,
  events text[] not null,
  failures integer not null default 0,
  paused_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  constraint webhooks_pkey PRIMARY KEY (id),
  constraint webhooks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
comment on table webhooks is 'Addresses to which events are sent.';
comment on column webhooks.is_site is 'Events of everybody, while the owner is an administrator.';
comment on column webhooks.secret is 'The key of signatures, so it cannot be a hash.';

CREATE INDEX webhooks_site ON public.webhooks USING btree (id) WHERE is_site;

CREATE INDEX webhooks_user_id ON public.webhooks USING btree (user_id);

create table word_count (
  only_row boolean not null default true,
  counted_at timestamp(3) with time zone not null,
  constraint word_count_pkey PRIMARY KEY (only_row),
  constraint word_count_only_row_check CHECK (only_row)
);
comment on table word_count is 'When the words of searches were last counted.';

create table worker_processes (
  id text collate "C" not null,
  started_at timestamp(3) with time zone not null,
  seen_at timestamp(3) with time zone not null,
  cpu_seconds double precision not null,
  constraint worker_processes_pkey PRIMARY KEY (id)
);
comment on table worker_processes is 'Running workers. Each updates its row every 15 seconds, and deletes it when it stops.';
comment on column worker_processes.cpu_seconds is 'Since its start, with that of its finished programs such as ffmpeg.';
