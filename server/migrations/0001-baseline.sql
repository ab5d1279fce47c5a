-- The schema of Kinora 0.2.0, by domain. It replaces the migrations up to 0087, which sites of 0.2.0 have applied one by one.
--
-- Ids are sorted by bytes (collate "C"). Times are in milliseconds, as those of JavaScript.

create extension if not exists unaccent;

-- # Accounts

create table users (
  id text collate "C" primary key,
  username text not null,
  email text not null,
  fullname text not null,
  password_hash text not null,
  avatar text not null,
  cover_image text,
  subscribers_count integer not null default 0,
  subscribed_to_count integer not null default 0,
  created_at timestamptz(3) not null default now(),
  suspended_at timestamptz(3),
  role text not null default 'member' check (role in ('member', 'moderator', 'administrator')),
  awaits_approval boolean not null default false,
  invitation_id text collate "C",
  quota_bytes bigint check (quota_bytes > 0),
  quota_videos integer check (quota_videos > 0),
  has_password boolean not null default true,
  quota_daily_bytes bigint check (quota_daily_bytes > 0),
  quota_video_minutes integer check (quota_video_minutes > 0),
  deletes_at timestamptz(3),
  language text
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
create unique index users_username_key on users (lower(username));
create unique index users_email_key on users (lower(email));
create index users_invitation_id on users (invitation_id) where invitation_id is not null;
create index users_deletes_at on users (deletes_at) where deletes_at is not null;
-- whether a picture is used
create index users_avatar on users (avatar);
create index users_cover_image on users (cover_image) where cover_image is not null;
-- lists of moderators, newest first
create index users_newest on users (created_at desc, id desc);

create table invitations (
  id text collate "C" primary key,
  created_by text collate "C" references users on delete set null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  max_uses integer not null check (max_uses > 0),
  uses integer not null default 0
);
comment on table invitations is 'Links with which people register.';
create index invitations_created_by on invitations (created_by) where created_by is not null;
alter table users add foreign key (invitation_id) references invitations on delete set null;

create table registrations (
  id text collate "C" primary key,
  username text not null,
  email text not null,
  fullname text not null,
  password_hash text not null,
  avatar text collate "C" not null,
  cover_image text collate "C",
  created_at timestamptz(3) not null default now(),
  awaits_approval boolean not null,
  invitation_id text collate "C" references invitations on delete set null
);
comment on table registrations is
  'Accounts that exist once their address is confirmed, under the same id. Those for the address of an account are never confirmed, so that a response does not tell them apart.';
create unique index registrations_username_key on registrations (lower(username));
create index registrations_email on registrations (lower(email));
create index registrations_created_at on registrations (created_at);
create index registrations_invitation_id on registrations (invitation_id) where invitation_id is not null;

create table sessions (
  token_hash bytea primary key,
  user_id text collate "C" not null references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  used_at timestamptz not null default now(),
  device text not null default ''
);
comment on table sessions is 'Sign-ins, each in one browser.';
comment on column sessions.token_hash is 'SHA-256 of the token in the cookie.';
comment on column sessions.used_at is 'About the last use. The least recently used session of an account ends first.';
comment on column sessions.device is 'Browser and system, as the list of sessions shows them.';
create index sessions_user_id on sessions (user_id);
create index sessions_expires_at on sessions (expires_at);

create table known_devices (
  user_id text collate "C" not null references users on delete cascade,
  device text not null,
  seen_at timestamptz(3) not null,
  primary key (user_id, device)
);
comment on table known_devices is 'Browsers and systems that an account has signed in with. Another one causes a notification.';
create index known_devices_seen_at on known_devices (seen_at);

create table known_addresses (
  user_id text collate "C" not null references users on delete cascade,
  address_hash bytea not null,
  seen_at timestamptz(3) not null,
  primary key (user_id, address_hash)
);
comment on table known_addresses is
  'Addresses that an account has signed in from, for 90 days. Failed logins from other addresses do not lock out these.';
comment on column known_addresses.address_hash is 'Hashed with the secret of the site.';

create table mail_codes (
  code_hash bytea primary key,
  user_id text collate "C" references users on delete cascade,
  purpose text not null,
  expires_at timestamptz(3) not null,
  email text,
  registration_id text collate "C" references registrations on delete cascade
);
comment on table mail_codes is 'Single-use codes in links that are sent by mail.';
comment on column mail_codes.user_id is 'Null for the code of a registration.';
comment on column mail_codes.email is 'The address that the mail went to.';
create index mail_codes_user_id on mail_codes (user_id);
create index mail_codes_registration_id on mail_codes (registration_id) where registration_id is not null;

create table confirmed_emails (
  user_id text collate "C" primary key references users on delete cascade,
  email text not null,
  confirmed_at timestamptz(3) not null default now()
);
comment on table confirmed_emails is
  'Addresses whose owners have opened a link in a mail. One counts as confirmed while the account has the same.';

create table rejected_emails (
  user_id text collate "C" primary key references users on delete cascade,
  email text not null,
  rejections int not null default 1
);
comment on table rejected_emails is
  'Addresses that the mail server has rejected for good. They count while the account has the same address.';

create table email_changes (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  old_email text not null,
  email text not null,
  created_at timestamptz(3) not null default now(),
  confirmed_at timestamptz(3)
);
comment on table email_changes is 'Changes of addresses on sites that send mail.';
comment on column email_changes.confirmed_at is 'Null while the change is pending.';
create index email_changes_user_id on email_changes (user_id);
create unique index email_changes_pending on email_changes (user_id) where confirmed_at is null;

-- A new password ends a pending change of address, which somebody else may have asked for.
create function delete_pending_email_change() returns trigger language plpgsql as $$
begin
  delete from email_changes where user_id = new.id and confirmed_at is null;
  return null;
end $$;
create trigger delete_pending_email_change after update of password_hash on users
  for each row when (old.password_hash is distinct from new.password_hash)
  execute function delete_pending_email_change();

create table second_factors (
  user_id text collate "C" primary key references users on delete cascade,
  secret text not null,
  is_confirmed boolean not null default false,
  last_step bigint not null default 0
);
comment on table second_factors is 'Authenticator apps (RFC 6238).';
comment on column second_factors.is_confirmed is 'A secret counts once a first code has confirmed it.';
comment on column second_factors.last_step is 'Time step of the last accepted code: none works twice.';

create table recovery_codes (
  user_id text collate "C" not null references users on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);
comment on table recovery_codes is 'Unused codes that replace an authenticator app, each once.';

create table passkeys (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  public_key bytea not null,
  counter bigint not null,
  name text not null,
  created_at timestamptz(3) not null,
  used_at timestamptz(3)
);
comment on table passkeys is 'Public keys with which people sign in (WebAuthn).';
create index passkeys_user_id on passkeys (user_id);

create table passkey_challenges (
  challenge text collate "C" primary key,
  user_id text collate "C" references users on delete cascade,
  expires_at timestamptz(3) not null
);
comment on table passkey_challenges is 'Challenges that wait for the signature of a passkey.';
comment on column passkey_challenges.user_id is 'Null for a sign-in.';
create index passkey_challenges_user_id on passkey_challenges (user_id) where user_id is not null;

create table oidc_identities (
  issuer text collate "C" not null,
  subject text collate "C" not null,
  user_id text collate "C" not null references users on delete cascade,
  created_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (issuer, subject),
  unique (user_id, issuer)
);
comment on table oidc_identities is 'Accounts at identity providers with which people sign in (OpenID Connect).';

create table oidc_requests (
  state_hash bytea primary key,
  browser_hash bytea not null,
  issuer text collate "C" not null,
  nonce text not null,
  code_verifier text not null,
  user_id text collate "C" references users on delete cascade,
  invitation text not null,
  expires_at timestamptz(3) not null
);
comment on table oidc_requests is 'Requests to identity providers that wait for their response.';
comment on column oidc_requests.browser_hash is 'Of a cookie: only the browser that began may finish.';
comment on column oidc_requests.user_id is 'The account that is linked; null for a sign-in.';
create index oidc_requests_user_id on oidc_requests (user_id) where user_id is not null;

create table api_tokens (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  token_hash bytea not null unique,
  name text not null,
  scopes text[] not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  used_at timestamptz(3)
);
comment on table api_tokens is 'Tokens with which programs call the API for a person.';
comment on column api_tokens.token_hash is 'Without a salt: a token has 256 random bits, so its hash is as hard to guess.';
comment on column api_tokens.expires_at is 'Null for a token that does not expire.';
create index api_tokens_user_id on api_tokens (user_id);

-- # Videos

create table videos (
  id text collate "C" primary key,
  owner_id text collate "C" not null references users on delete cascade,
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
  processing_state text not null default 'processing' check (processing_state in ('processing', 'ready', 'failed')),
  processing_progress real not null default 0,
  processing_reason text,
  has_storyboard boolean not null default false,
  created_at timestamptz(3) not null default now(),
  takedown_reason text,
  visibility text not null default 'public' check (visibility in ('public', 'unlisted', 'members', 'private', 'scheduled')),
  publish_at timestamptz(3),
  tags text[] not null default '{}' check (cardinality(tags) <= 15),
  category text,
  language text,
  licence text,
  comments_allowed boolean not null default true,
  downloads_allowed boolean not null default false,
  awaits_publication boolean not null default false,
  comments_held boolean not null default false,
  replacement text,
  held_visibility text check (held_visibility in ('public', 'unlisted', 'members', 'scheduled')),
  is_approved boolean not null default false,
  was_held boolean not null default false,
  constraint videos_publish_at_check check ((visibility = 'scheduled') = (publish_at is not null))
);
comment on table videos is 'Published videos. A row is inserted once the source is durable and inspected.';
comment on column videos.thumbnail is 'Id of a picture.';
comment on column videos.source_key is 'Storage key of the uploaded file.';
comment on column videos.source is 'SourceInfo of media/probe/probe.ts: the result of the inspection.';
comment on column videos.takedown_reason is 'Set while the video is taken down, which hides it from everybody but its owner.';
comment on column videos.visibility is
  'Public, or for everybody with the address, signed-in users, the owner and video_viewers, or the owner until publish_at.';
comment on column videos.publish_at is 'When a scheduled video becomes public.';
comment on column videos.awaits_publication is 'Uploaded as private or scheduled, and not published since: it counts as new from then on.';
comment on column videos.comments_held is 'Comments wait for the approval of the owner.';
comment on column videos.replacement is
  'Id of the upload that has replaced the first file. Addresses and keys of segments contain it, because caches keep them for a year.';
comment on column videos.held_visibility is 'Visibility after the approval of a moderator, which the video waits for. Until then it is private, or stays scheduled.';
comment on column videos.is_approved is 'Approved once: further changes of its owner need no approval.';
comment on column videos.was_held is 'Waited for approval when its owner made it private: it waits again once its owner shows it.';
-- one partial index for each kind of list, so that lists skip no rows
create index videos_newest on videos (created_at desc, id desc);
create index videos_newest_public on videos (created_at desc, id desc)
  where takedown_reason is null and visibility = 'public';
create index videos_newest_members on videos (created_at desc, id desc)
  where takedown_reason is null and visibility in ('public', 'members');
create index videos_owner_newest on videos (owner_id, created_at desc, id desc);
create index videos_category on videos (category, created_at desc, id desc)
  where takedown_reason is null and visibility in ('public', 'members') and category is not null;
create index videos_scheduled on videos (publish_at) where visibility = 'scheduled';
create index videos_held on videos (created_at) where held_visibility is not null;
create index videos_failed on videos (created_at) where processing_state = 'failed';
-- a job selects the few videos whose preparation has not ended
create index videos_processing on videos (created_at) where processing_state = 'processing';
-- requests for pictures find the video by its thumbnail
create index videos_thumbnail on videos (thumbnail);
create index videos_hidden on videos (thumbnail)
  where takedown_reason is not null or visibility in ('members', 'private', 'scheduled');
-- searches for moments begin with the few videos that may have chapters or captions
create index videos_with_chapters on videos (id) where description ~ '0:00';
create index videos_with_file_captions on videos (id) where source->'captions'->0 is not null;

-- Tags of a video: its own, and the #tags of its description.
create function video_tags(tags text[], description text) returns text[] language sql immutable parallel safe as $$
  select tags || array(
    select lower(found[1]) from regexp_matches(
      description, '(?<![[:alnum:]_&/#])#(?=[0-9_-]*[[:alpha:]])([[:alnum:]_]+(?:-[[:alnum:]_]+)*)', 'g'
    ) found where length(found[1]) <= 50
  )
$$;
create index videos_tags on videos using gin (video_tags(tags, description))
  where takedown_reason is null and visibility in ('public', 'members');

create table video_viewers (
  video_id text collate "C" not null references videos on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  primary key (video_id, user_id)
);
comment on table video_viewers is 'Users who may watch a private video.';
create index video_viewers_user_id on video_viewers (user_id);

create table resumable_uploads (
  id text collate "C" primary key,
  size_bytes bigint,
  metadata jsonb not null,
  source_key text not null,
  parts_id text not null,
  part_bytes bigint not null,
  part_tags text[] not null default '{}',
  received_bytes bigint not null default 0,
  tail_key text,
  writer text,
  touched_at timestamptz(3) not null
);
comment on table resumable_uploads is
  'Running uploads into a bucket, which any web process can continue. Parts have equal sizes; bytes after the last whole part are an object of their own, the tail.';
comment on column resumable_uploads.size_bytes is 'Null until the client announces it.';
comment on column resumable_uploads.metadata is 'Metadata of the client, and the id of the user.';
comment on column resumable_uploads.parts_id is 'Name of the multipart upload in the bucket.';
comment on column resumable_uploads.writer is 'The request that continues the upload; bytes of earlier requests are rejected.';
create index resumable_uploads_touched_at on resumable_uploads (touched_at);

create table upload_drafts (
  upload_id text collate "C" primary key,
  owner_id text collate "C" not null references users on delete cascade,
  title text not null,
  description text not null,
  visibility text not null,
  updated_at timestamptz(3) not null
);
comment on table upload_drafts is
  'Texts of resumable uploads that are not published. A draft is valid while its upload exists, which may be outside of the database; a job deletes old ones.';
create index upload_drafts_owner on upload_drafts (owner_id);

create table uploaded_bytes (
  upload_id text primary key,
  owner_id text not null references users on delete cascade,
  bytes bigint not null,
  uploaded_at timestamptz not null
);
comment on table uploaded_bytes is 'Sizes of the uploads of the last days, those of deleted videos included, for quotas per day.';
create index uploaded_bytes_of_owner on uploaded_bytes (owner_id, uploaded_at);

create table captions (
  id text collate "C" primary key,
  video_id text collate "C" not null references videos on delete cascade,
  language text not null,
  label text not null,
  is_default boolean not null default false,
  file_track integer,
  content text not null,
  version integer not null default 1,
  unique (video_id, file_track)
);
comment on table captions is 'Captions that owners add. Those in the file of a video are extracted from it, unless a row replaces them.';
comment on column captions.language is 'BCP 47.';
comment on column captions.file_track is 'The track of the file that this row replaces.';
comment on column captions.content is 'WebVTT.';
comment on column captions.version is 'Part of the URL, which caches keep for a year.';
create unique index captions_default on captions (video_id) where is_default;

create table file_captions (
  video_id text collate "C" not null references videos on delete cascade,
  file_track int not null,
  replacement text,
  content text not null,
  document tsvector not null,
  primary key (video_id, file_track)
);
comment on table file_captions is 'Captions inside the files of videos, as text in which a search finds moments. A job extracts them after publishing.';
comment on column file_captions.file_track is 'Place among the captions of the file.';
comment on column file_captions.replacement is 'Of the video when the text was extracted: null for the file that it was published with.';
create index file_captions_document on file_captions using gin (document) with (fastupdate = off);

create table prepared_runs (
  video_id text collate "C" not null references videos on delete cascade,
  run integer not null,
  primary key (video_id, run)
);
comment on table prepared_runs is 'Runs of segments that are encoded, while a video is being prepared.';

create table track_uses (
  video_id text collate "C" not null references videos on delete cascade,
  track text not null,
  used_at timestamptz(3) not null,
  primary key (video_id, track)
);
comment on table track_uses is 'Last request for a rendition or audio track of a video. The segments of the least recently used are evicted first.';

create table track_bitrates (
  video_id text collate "C" not null references videos on delete cascade,
  track text collate "C" not null,
  peak_bps integer not null,
  average_bps integer not null,
  primary key (video_id, track)
);
comment on table track_bitrates is
  'Bits per second of the segments of a track of the current file, measured once all of them exist. Until then playlists state estimates.';

create table pending_views (
  video_id text collate "C" not null references videos on delete cascade,
  viewed_at timestamptz(3) not null default now(),
  number bigint generated always as identity,
  views integer not null default 1
);
comment on table pending_views is 'Views that a job adds to videos.views and daily_views, so that no viewer waits for a popular row.';
comment on column pending_views.number is 'Order of arrival. Every hundredth enqueues the job, whichever process receives it.';
comment on column pending_views.views is 'Views of one moment, so that a popular video needs few rows.';
create index pending_views_video_id on pending_views (video_id);

create table daily_views (
  video_id text collate "C" not null references videos on delete cascade,
  day date not null,
  views integer not null,
  primary key (video_id, day)
);
comment on table daily_views is 'Views of each video and day.';

create table pending_playbacks (
  video_id text collate "C" not null references videos on delete cascade,
  day date not null,
  playbacks integer not null,
  watched_seconds double precision not null,
  retention integer[] not null,
  sources jsonb not null,
  captions jsonb not null,
  qualities jsonb not null
);
comment on table pending_playbacks is 'Playback reports that a job adds to daily_playbacks.';
create index pending_playbacks_video_id on pending_playbacks (video_id);

create table daily_playbacks (
  video_id text collate "C" not null references videos on delete cascade,
  day date not null,
  playbacks integer not null,
  watched_seconds double precision not null,
  retention integer[] not null,
  sources jsonb not null,
  captions jsonb not null,
  qualities jsonb not null,
  primary key (video_id, day)
);
comment on table daily_playbacks is 'How a video was watched on a day, without viewers.';
comment on column daily_playbacks.retention is 'Playbacks that showed each hundredth of the video.';
comment on column daily_playbacks.sources is 'Playbacks by where their viewers came from.';
comment on column daily_playbacks.captions is 'Seconds by language.';
comment on column daily_playbacks.qualities is 'Seconds by pixels of the shorter side.';

-- # Watching: search

-- Normalized words of a text: lower case, without accents and apostrophes, split at everything but letters and digits. Runs of
-- Chinese and Japanese letters are split into pairs, and the last letter. Words of Thai, Lao, Burmese and Khmer are not separated
-- by spaces: a run of these letters is one long word.
create function search_words(text text) returns text[] language sql stable parallel safe as $$
  select coalesce(array_agg(left(coalesce(pair, word), case when word ~ '^[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]' then 200 else 60 end) order by position, at), '{}')
  from regexp_split_to_table(
    regexp_replace(
      regexp_replace(lower(unaccent(normalize(text, nfkc))), '[''’ʼ\u0300-\u036f]', '', 'g'),
      '([\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+)', ' \1 ', 'g'
    ), '[^[:alnum:]\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3]+'
  ) with ordinality split (word, position)
  left join lateral (
    select substr(word, at, 2) as pair, at from generate_series(1, length(word)) at
    where word ~ '^[\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]'
  ) pairs on true
  where word <> ''
$$;

-- "Node.js" and "Wi-Fi" as "nodejs" and "wifi".
create function search_joined_words(text text) returns text[] language sql stable parallel safe as $$
  select coalesce(array_agg(joined), '{}') from (
    select regexp_replace(found[1], '[^[:alnum:]]', '', 'g') as joined
    from regexp_matches(lower(unaccent(normalize(text, nfkc))), '[[:alnum:]]+(?:[.\-_‐‑][[:alnum:]]+)+', 'g') found
  ) words where length(joined) between 3 and 30
$$;

-- Variants of a word: itself, and the word without any one letter. Two words that differ by one typo share a variant.
create function search_variants(word text) returns text[] language sql immutable parallel safe as $$
  select case when word ~ '^[^0-9]{3,30}$' then array(
    select word union select overlay(word placing '' from at for 1) from generate_series(1, length(word)) at
  ) else '{}' end
$$;

-- Endings of a word from its second letter on. Every part of a word is a prefix of one of them.
create function search_endings(word text) returns tsvector language sql immutable parallel safe as $$
  select case when length(word) between 4 and 30 then array_to_tsvector(
    array(select substr(word, at) from generate_series(2, length(word) - 2) at)
  ) else '' end
$$;

-- Endings of runs of letters that no spaces separate: also of long ones, and of two letters.
create function search_run_endings(word text) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array(select substr(word, at) from generate_series(1, length(word) - 1) at))
$$;

-- Words with their weight: A in the title, B in the owner's name, C in the description.
create function search_vector(title text, owner text, description text) returns tsvector
language sql stable parallel safe as $$
  select coalesce(string_agg(word || ':' || marks, ' '), '')::tsvector from (
    select word, string_agg(mark, ',') as marks from (
      select unnest(search_words(title) || search_joined_words(title)) as word, '1A' as mark
      union select unnest(search_words(owner) || search_joined_words(owner)), '2B'
      union select unnest(search_words(description)), '3C'
    ) marked group by word
  ) words
$$;

-- Words of WebVTT without its times and tags. No more is read than 200,000 characters of captions can need with their times. A run
-- of 100 letters is split, which loses at most one pair of Chinese letters in a hundred: long words take quadratic time.
create function caption_words(content text) returns tsvector language plpgsql stable parallel safe as $$
declare
  shown text := left(
    regexp_replace(regexp_replace(left(content, 2000000), '[^\n]*-->[^\n]*', ' ', 'g'), '<[^<>\n]*>', '', 'g'), 200000
  );
begin
  return array_to_tsvector(search_words(regexp_replace(left(normalize(shown, nfkc), 200000), '\S{100}', '\& ', 'g')));
exception when program_limit_exceeded then
  -- more than a megabyte of different words
  return '';
end $$;

create table video_search (
  video_id text collate "C" primary key references videos on delete cascade,
  created_at timestamptz(3) not null,
  head tsvector not null,
  document tsvector not null,
  is_prominent boolean not null default true,
  is_public boolean not null default true
);
comment on table video_search is 'Words of the videos that lists show. Triggers on videos and users maintain it.';
comment on column video_search.head is 'Title and owner: short, so that ranking reads no long description.';
comment on column video_search.is_prominent is
  'Very common words are searched among prominent videos only, by partial indexes. New videos are; a job selects the others.';
comment on column video_search.is_public is 'False for videos that only members see.';
create index video_search_document on video_search using gin (document) with (fastupdate = off);
create index video_search_newest on video_search (created_at desc, video_id desc);
create index video_search_prominent on video_search using gin (document) where is_prominent;
create index video_search_prominent_titles on video_search using gin (ts_filter(head, '{a}')) where is_prominent;
-- those that are not prominent any more
create index video_search_are_prominent on video_search (video_id) where is_prominent;

create table channel_search (
  user_id text collate "C" primary key references users on delete cascade,
  document tsvector not null
);
comment on table channel_search is 'Words of the names of each channel. Triggers on users maintain it.';
create index channel_search_document on channel_search using gin (document) with (fastupdate = off);

create table caption_search (
  captions_id text collate "C" primary key references captions on delete cascade,
  document tsvector not null
);
comment on table caption_search is 'Words of captions, which searches for moments find. Triggers on captions maintain it.';
create index caption_search_document on caption_search using gin (document) with (fastupdate = off);

create table search_vocabulary (
  word text collate "C" primary key,
  variants text[] collate "C" not null,
  videos_count integer not null default 1
);
comment on table search_vocabulary is
  'Words of public videos, for beginnings of words and typing mistakes. Others stay out, because corrections and completions reveal them.';
comment on column search_vocabulary.videos_count is 'Counted again by a job.';
create index search_vocabulary_variants on search_vocabulary using gin (variants);
-- words with equal endings: two typos at the beginning leave the ending
create index search_vocabulary_endings on search_vocabulary (reverse(word));
create index search_vocabulary_inner_parts on search_vocabulary using gin (search_endings(word));
create index search_vocabulary_runs on search_vocabulary using gin (search_run_endings(word))
  where word >= U&'\0e00' and word < U&'\1800' and length(word) > 1;

create function learn_words(document tsvector) returns void language sql as $$
  insert into search_vocabulary (word, variants)
  select found.word, search_variants(found.word) from unnest(tsvector_to_array(document)) found (word)
  where not exists (select from search_vocabulary known where known.word = found.word)
  -- in one order, so that two who learn the same words never wait for each other
  order by found.word
  on conflict (word) do nothing
$$;

-- Removes words that no public video has any more. Common words wait until words are counted again.
create function forget_words(document tsvector) returns void language sql as $$
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
$$;

create function index_changed_video() returns trigger language plpgsql as $$
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
end $$;
create trigger index_inserted_video after insert on videos for each row
  when (new.takedown_reason is null and new.visibility in ('public', 'members'))
  execute function index_changed_video();
create trigger index_updated_video
  after update of title, description, takedown_reason, visibility, created_at on videos for each row
  when (
    new.takedown_reason is null and new.visibility in ('public', 'members') and (
      old.title <> new.title or old.description <> new.description or old.takedown_reason is not null
      or old.visibility <> new.visibility or old.created_at <> new.created_at
    )
  )
  execute function index_changed_video();

create function index_videos_of_changed_user() returns trigger language plpgsql as $$
declare
  name tsvector := search_vector('', new.fullname || ' ' || new.username, '');
begin
  update video_search set
    head = ts_filter(head, '{a}') || name,
    document = ts_filter(document, '{a,c}') || name
  from videos where videos.id = video_search.video_id and videos.owner_id = new.id;
  perform learn_words(name);
  return null;
end $$;
create trigger index_videos_of_updated_user after update of fullname, username on users
  for each row when (old.fullname is distinct from new.fullname or old.username is distinct from new.username)
  execute function index_videos_of_changed_user();

create function unindex_video() returns trigger language plpgsql as $$
declare
  removed tsvector;
begin
  delete from video_search where video_id = new.id and is_public returning document into removed;
  delete from video_search where video_id = new.id;
  if removed is not null then perform forget_words(removed); end if;
  return null;
end $$;
create trigger unindex_hidden_video after update of takedown_reason, visibility on videos for each row
  when (new.takedown_reason is not null or new.visibility not in ('public', 'members'))
  execute function unindex_video();

create function forget_words_of_video() returns trigger language plpgsql as $$
begin
  perform forget_words(old.document);
  return null;
end $$;
create trigger forget_hidden_words after update of is_public on video_search for each row
  when (old.is_public and not new.is_public) execute function forget_words_of_video();

create function index_changed_channel() returns trigger language plpgsql as $$
begin
  insert into channel_search (user_id, document)
  values (new.id, search_vector('', new.fullname || ' ' || new.username, ''))
  on conflict (user_id) do update set document = excluded.document;
  return null;
end $$;
create trigger index_inserted_channel after insert on users
  for each row execute function index_changed_channel();
create trigger index_renamed_channel after update of fullname, username on users
  for each row when (old.fullname is distinct from new.fullname or old.username is distinct from new.username)
  execute function index_changed_channel();

create function index_changed_captions() returns trigger language plpgsql as $$
begin
  insert into caption_search (captions_id, document) values (new.id, caption_words(new.content))
  on conflict (captions_id) do update set document = excluded.document;
  return null;
end $$;
create trigger index_added_captions after insert on captions
  for each row execute function index_changed_captions();
create trigger index_updated_captions after update of content on captions
  for each row when (old.content is distinct from new.content) execute function index_changed_captions();

-- # Watching: channels, history, playlists

create table channel_profiles (
  user_id text collate "C" primary key references users on delete cascade,
  about text not null default '',
  links text[] not null default '{}' check (cardinality(links) <= 10),
  pinned_video_id text collate "C" references videos on delete set null
);
comment on table channel_profiles is 'Texts of owners about their channel. A missing row counts as an empty one.';
comment on column channel_profiles.links is 'URLs.';
create index channel_profiles_pinned_video_id on channel_profiles (pinned_video_id) where pinned_video_id is not null;

create table subscriptions (
  subscriber_id text collate "C" not null references users on delete cascade,
  channel_id text collate "C" not null references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (subscriber_id, channel_id)
);
comment on table subscriptions is 'Channels that users follow.';
create index subscriptions_newest on subscriptions (subscriber_id, created_at desc, channel_id desc);
-- the order in which all subscribers of a channel are notified
create index subscriptions_of_channel on subscriptions (channel_id, subscriber_id);

create table private_subscriptions (
  user_id text collate "C" primary key references users on delete cascade
);
comment on table private_subscriptions is 'Accounts that show the channels they subscribe to nobody else.';

create table channel_groups (
  id text collate "C" primary key,
  owner_id text collate "C" not null references users on delete cascade,
  name text not null,
  created_at timestamptz(3) not null default now()
);
comment on table channel_groups is 'Groups of followed channels, which filter the feed of their owner.';
create index channel_groups_owner_id on channel_groups (owner_id);

create table channel_group_members (
  group_id text collate "C" not null references channel_groups on delete cascade,
  channel_id text collate "C" not null references users on delete cascade,
  primary key (group_id, channel_id)
);
comment on table channel_group_members is 'Channels of a group.';
create index channel_group_members_channel_id on channel_group_members (channel_id);

create table feed_visits (
  user_id text primary key references users on delete cascade,
  seen_at timestamptz not null
);
comment on table feed_visits is 'When a member last saw the feed. Videos since then have a dot.';

create table feed_addresses (
  user_id text collate "C" primary key references users on delete cascade,
  token text collate "C" not null unique,
  created_at timestamptz(3) not null default now()
);
comment on table feed_addresses is 'Secret addresses of the feeds of users.';
comment on column feed_addresses.token is
  'Not hashed, because its owner can display it again. It gives access to a list of videos, and its owner can replace it.';

create table watch_history (
  user_id text collate "C" not null references users on delete cascade,
  video_id text collate "C" not null references videos on delete cascade,
  watched_at timestamptz(3),
  position_seconds double precision not null default 0,
  is_finished boolean not null default false,
  primary key (user_id, video_id)
);
comment on table watch_history is 'The videos that a user has watched, and where playback continues.';
comment on column watch_history.watched_at is 'Null while only a position is known.';
comment on column watch_history.is_finished is 'Played to the end: the position is 0 then, as at the start.';
create index watch_history_newest on watch_history (user_id, watched_at desc);
create index watch_history_video_id on watch_history (video_id);

create table paused_histories (
  user_id text collate "C" primary key references users on delete cascade,
  paused_at timestamptz(3) not null default now()
);
comment on table paused_histories is 'Users whose history is paused.';

create table dismissed_videos (
  user_id text collate "C" not null references users on delete cascade,
  video_id text collate "C" not null references videos on delete cascade,
  dismissed_at timestamptz(3) not null default now(),
  primary key (user_id, video_id)
);
comment on table dismissed_videos is 'Videos that users do not want to be recommended.';
create index dismissed_videos_video_id on dismissed_videos (video_id);

create table dismissed_channels (
  user_id text collate "C" not null references users on delete cascade,
  channel_id text collate "C" not null references users on delete cascade,
  dismissed_at timestamptz(3) not null default now(),
  primary key (user_id, channel_id)
);
comment on table dismissed_channels is 'Channels that users do not want to be recommended.';
create index dismissed_channels_channel_id on dismissed_channels (channel_id);

create table playlists (
  id text collate "C" primary key,
  owner_id text collate "C" not null references users on delete cascade,
  is_watch_later boolean not null default false,
  title text not null,
  description text not null default '',
  visibility text not null default 'private' check (visibility in ('private', 'unlisted', 'public')),
  entries_count integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
comment on table playlists is 'Lists of videos of an account.';
comment on column playlists.is_watch_later is 'The playlist that every account has, created on first use.';
comment on column playlists.entries_count is 'Updated together with the entries, under the lock of the row.';
create unique index playlists_watch_later on playlists (owner_id) where is_watch_later;
create index playlists_owner_id on playlists (owner_id, updated_at desc, id desc);

create table playlist_entries (
  id text collate "C" primary key,
  playlist_id text collate "C" not null references playlists on delete cascade,
  video_id text collate "C" references videos on delete set null,
  position text collate "C" not null,
  added_at timestamptz(3) not null default now(),
  -- deferred to the end of the statement, because rebalancing passes through existing keys
  unique (playlist_id, position) deferrable,
  unique (playlist_id, video_id)
);
comment on table playlist_entries is 'Videos of a playlist.';
comment on column playlist_entries.video_id is 'Null once the video is deleted: the entry keeps its position.';
comment on column playlist_entries.position is 'A fractional key between those of its neighbours: moving an entry changes no other row.';
create index playlist_entries_video_id on playlist_entries (video_id);

-- # Conversation

create table comments (
  id text collate "C" primary key,
  video_id text collate "C" not null references videos on delete cascade,
  author_id text collate "C" not null references users on delete cascade,
  content text not null,
  likes_count integer not null default 0,
  created_at timestamptz(3) not null default now(),
  parent_id text collate "C" references comments on delete cascade,
  replies_count integer not null default 0,
  mentions text[] not null default '{}',
  edited_at timestamptz(3),
  is_pinned boolean not null default false,
  is_hearted boolean not null default false,
  is_held boolean not null default false,
  deleted_at timestamptz(3),
  deleted_by text collate "C",
  is_approved_by_owner boolean not null default false,
  is_held_by_channel boolean not null default false
);
comment on table comments is 'Comments on videos, and replies to them.';
comment on column comments.parent_id is 'The comment that this is a reply to.';
comment on column comments.replies_count is 'Published ones; a trigger keeps it.';
comment on column comments.mentions is 'Usernames that exist among the @names of the text.';
comment on column comments.is_held is 'Waits for approval.';
comment on column comments.deleted_at is 'Deleted comments stay for a while, so that their deletion can be undone.';
comment on column comments.is_approved_by_owner is
  'Published only because the owner of the video approved it, or an earlier comment of its author: it shows nothing about the author on other channels.';
comment on column comments.is_held_by_channel is 'Held by the watched words of the channel: the owner of the video approves it, not the moderators.';
create index comments_threads on comments (video_id, created_at desc, id desc)
  where parent_id is null and not is_held and deleted_at is null;
create index comments_top on comments (video_id, likes_count desc, created_at desc, id desc)
  where parent_id is null and not is_held and deleted_at is null;
create index comments_replies on comments (parent_id, created_at, id) where parent_id is not null;
create index comments_held on comments (video_id, created_at desc, id desc) where is_held and deleted_at is null;
create unique index comments_pinned on comments (video_id) where is_pinned;
create index comments_deleted_at on comments (deleted_at) where deleted_at is not null;
create index comments_video_id on comments (video_id);
create index comments_author_id on comments (author_id);
-- lists of moderators
create index comments_all_held on comments (created_at desc, id desc) where is_held and deleted_at is null;
create index comments_newest on comments (created_at desc, id desc) where deleted_at is null;

-- Keeps the number of published replies of a comment, whatever changes them.
create function count_replies() returns trigger language plpgsql as $$
declare
  thread text := coalesce(new.parent_id, old.parent_id);
  before boolean := old.parent_id is not null and not old.is_held and old.deleted_at is null;
  after boolean := new.parent_id is not null and not new.is_held and new.deleted_at is null;
begin
  if before <> after then
    update comments set replies_count = replies_count + after::integer - before::integer where id = thread;
  end if;
  return null;
end $$;
create trigger count_added_reply after insert on comments for each row
  when (new.parent_id is not null) execute function count_replies();
create trigger count_changed_reply after update of is_held, deleted_at on comments for each row
  when (new.parent_id is not null) execute function count_replies();
create trigger count_deleted_reply after delete on comments for each row
  when (old.parent_id is not null) execute function count_replies();

create table video_likes (
  video_id text collate "C" not null references videos on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (video_id, user_id)
);
comment on table video_likes is 'Likes of videos; videos.likes_count is their number.';
create index video_likes_user_id on video_likes (user_id);

create table comment_likes (
  comment_id text collate "C" not null references comments on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (comment_id, user_id)
);
comment on table comment_likes is 'Likes of comments; comments.likes_count is their number.';
create index comment_likes_user_id on comment_likes (user_id);

create table watched_words (
  user_id text collate "C" primary key references users on delete cascade,
  watched_words text not null,
  watched_words_action text not null check (watched_words_action in ('hold', 'refuse'))
);
comment on table watched_words is 'Words that hold or refuse comments on the videos of a channel.';

create table muted_people (
  user_id text collate "C" not null references users on delete cascade,
  person_id text collate "C" not null references users on delete cascade,
  is_blocked boolean not null,
  muted_at timestamptz(3) not null default now(),
  primary key (user_id, person_id)
);
comment on table muted_people is 'People whose videos and comments a user does not see.';
comment on column muted_people.is_blocked is 'Blocked people cannot comment to the user either.';
create index muted_people_person_id on muted_people (person_id);

create table reports (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('video', 'comment', 'channel')),
  subject_id text collate "C" not null,
  owner_id text collate "C" not null references users on delete cascade,
  title text not null,
  created_at timestamptz(3) not null default now(),
  decision text check (decision in ('dismiss', 'remove')),
  note text not null default '',
  decided_by text,
  decided_at timestamptz(3),
  answer text,
  answered_at timestamptz(3)
);
comment on table reports is 'Reports about one video, comment or channel, and the decision of a moderator about them.';
comment on column reports.subject_id is 'No foreign key: a report outlives its subject.';
comment on column reports.answer is 'Of the owner to the decision, once.';
create unique index reports_open on reports (kind, subject_id) where decision is null;
create index reports_owner_id on reports (owner_id);

create table report_entries (
  report_id bigint not null references reports on delete cascade,
  reporter_id text collate "C" not null references users on delete cascade,
  reason text not null,
  text text not null,
  created_at timestamptz(3) not null default now(),
  primary key (report_id, reporter_id)
);
comment on table report_entries is 'People who reported it, with their reasons.';
create index report_entries_reporter_id on report_entries (reporter_id);

-- # Messages

create table notifications (
  id bigint generated always as identity primary key,
  user_id text collate "C" not null references users on delete cascade,
  kind text not null,
  video_id text collate "C",
  comment_id text collate "C" references comments on delete cascade,
  actor_id text collate "C" references users on delete set null,
  actors_count integer not null default 1,
  is_read boolean not null default false,
  created_at timestamptz(3) not null default now(),
  began_at timestamptz(3) not null default now(),
  report_id bigint references reports on delete cascade,
  device text
);
-- not valid, as where rows existed before the last kinds: a further kind replaces it without reading them
alter table notifications add constraint notifications_kind_check check (kind in
  ('video', 'comment', 'subscriber', 'processing', 'reply', 'mention', 'report', 'moderation', 'sign_in', 'webhook')) not valid;
comment on table notifications is 'Notifications of users. A row refers to its subject; lists read texts and visibility of the subject.';
comment on column notifications.video_id is
  'Of a video that may be deleted already. No foreign key, so that a deletion does not wait for the notifications of all subscribers; a job deletes them.';
comment on column notifications.actor_id is 'The user who caused it; the last one of a group.';
comment on column notifications.began_at is 'When a group of new subscribers began: ending a subscription takes only those out of it that began since.';
comment on column notifications.device is 'Of a sign-in.';
create index notifications_newest on notifications (user_id, created_at desc, id desc);
create index notifications_created_at on notifications using brin (created_at);
create index notifications_actor_id on notifications (actor_id) where actor_id is not null;
create index notifications_video_id on notifications (video_id) where video_id is not null;
-- one for each subject and user, even if its job runs twice
create unique index notifications_of_video on notifications (video_id, user_id, kind)
  where kind in ('video', 'processing');
create unique index notifications_of_comment on notifications (comment_id, user_id) where comment_id is not null;
create unique index notifications_of_report on notifications (report_id, user_id) where report_id is not null;
create unique index notifications_of_subscribers on notifications (user_id) where kind = 'subscriber' and not is_read;

create table muted_notifications (
  user_id text collate "C" not null references users on delete cascade,
  kind text not null,
  primary key (user_id, kind)
);
comment on table muted_notifications is 'Kinds of notifications that a user has switched off.';

create table announced_videos (
  video_id text collate "C" primary key references videos on delete cascade,
  announced_at timestamptz(3) not null default now()
);
comment on table announced_videos is 'Videos that subscribers were notified of, so that publishing one again notifies nobody.';

create table unread_notifications (
  user_id text collate "C" primary key references users on delete cascade,
  unread integer not null
);
comment on table unread_notifications is 'Numbers of unread notifications. Triggers on notifications keep them.';

-- Publishes changed counts: one message for each person, or one for all between two ids.
create function publish_unread(user_ids text[], counts integer[]) returns void language sql as $$
  select pg_notify('signals', json_build_array('notifications/' || user_id, unread::text)::text)
  from unnest(user_ids, counts) as changed (user_id, unread) where cardinality(user_ids) <= 50;
  select pg_notify('signals', json_build_array('notifications', min(user_id) || ' ' || max(user_id))::text)
  from unnest(user_ids) as user_id having count(*) > 50;
$$;

-- Keeps the count of unread notifications, whatever changes them.
create function add_to_unread(user_ids text[], differences integer[]) returns void language plpgsql as $$
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
end $$;

create function count_added_notifications() returns trigger language plpgsql as $$
declare
  ids text[];
  differences integer[];
begin
  select array_agg(user_id), array_agg(unread) into ids, differences
  from (select user_id, count(*)::integer as unread from added where not is_read group by user_id) counted;
  perform add_to_unread(ids, differences) where ids is not null;
  return null;
end $$;
create trigger count_added_notifications after insert on notifications referencing new table as added
  for each statement execute function count_added_notifications();

create function count_deleted_notifications() returns trigger language plpgsql as $$
declare
  ids text[];
  differences integer[];
begin
  select array_agg(user_id), array_agg(-unread) into ids, differences
  from (select user_id, count(*)::integer as unread from deleted where not is_read group by user_id) counted;
  perform add_to_unread(ids, differences) where ids is not null;
  return null;
end $$;
create trigger count_deleted_notifications after delete on notifications referencing old table as deleted
  for each statement execute function count_deleted_notifications();

create function count_read_notifications() returns trigger language plpgsql as $$
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
end $$;
create trigger count_read_notifications after update on notifications
  referencing old table as old_rows new table as new_rows
  for each statement execute function count_read_notifications();

create table mail_frequencies (
  user_id text collate "C" primary key references users on delete cascade,
  frequency text not null check (frequency in ('immediate', 'daily')),
  hour integer not null check (hour between 0 and 23)
);
comment on table mail_frequencies is 'When users get notifications by mail. Without a row they get none.';
comment on column mail_frequencies.hour is 'Of the daily mail, in UTC.';
create index mail_frequencies_daily on mail_frequencies (hour, user_id) where frequency = 'daily';

create table mailed_notifications (
  user_id text collate "C" not null references users on delete cascade,
  kind text not null,
  primary key (user_id, kind)
);
comment on table mailed_notifications is 'Kinds of notifications that a user gets by mail.';

create table notification_mails (
  notification_id bigint primary key references notifications on delete cascade,
  user_id text collate "C" not null references users on delete cascade
);
comment on table notification_mails is
  'Notifications that wait to be mailed. Triggers on notifications add them. They are deleted with the notification, and then not mailed.';
create index notification_mails_user_id on notification_mails (user_id, notification_id);

create function queue_notification_mails() returns trigger language plpgsql as $$
begin
  insert into notification_mails (notification_id, user_id)
  select added.id, added.user_id from added
  join mail_frequencies frequency on frequency.user_id = added.user_id
  join mailed_notifications mailed on mailed.user_id = added.user_id and mailed.kind = added.kind;
  return null;
end $$;
create trigger queue_notification_mails after insert on notifications referencing new table as added
  for each statement execute function queue_notification_mails();

-- a decision or an end of processing that was notified before
create function queue_notification_mail_again() returns trigger language plpgsql as $$
begin
  insert into notification_mails (notification_id, user_id)
  select new.id, new.user_id from mail_frequencies frequency
  join mailed_notifications mailed on mailed.user_id = frequency.user_id and mailed.kind = new.kind
  where frequency.user_id = new.user_id
  on conflict do nothing;
  return null;
end $$;
create trigger queue_notification_mail_again after update of created_at on notifications for each row
  when (new.kind <> 'subscriber') execute function queue_notification_mail_again();

create table push_subscriptions (
  id bigint generated always as identity primary key,
  session_hash bytea not null unique references sessions on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  created_at timestamptz(3) not null default now()
);
comment on table push_subscriptions is 'Browsers that get notifications by web push. A subscription ends with the session that made it.';
comment on column push_subscriptions.p256dh is 'Public key of the browser (RFC 8291), in base64url.';
comment on column push_subscriptions.auth is 'Secret of the browser (RFC 8291), in base64url.';
create index push_subscriptions_user_id on push_subscriptions (user_id, created_at);

create table muted_pushes (
  user_id text collate "C" not null references users on delete cascade,
  kind text not null,
  primary key (user_id, kind)
);
comment on table muted_pushes is 'Kinds of notifications that a user does not want by push.';

create table notification_pushes (
  notification_id bigint primary key references notifications on delete cascade,
  user_id text collate "C" not null references users on delete cascade
);
comment on table notification_pushes is
  'Notifications that wait to be pushed. Triggers on notifications add them. They are deleted with the notification, and then not pushed.';
create index notification_pushes_user_id on notification_pushes (user_id);

create function queue_notification_pushes() returns trigger language plpgsql as $$
begin
  insert into notification_pushes (notification_id, user_id)
  select added.id, added.user_id from added
  where exists (select from push_subscriptions s where s.user_id = added.user_id);
  return null;
end $$;
create trigger queue_notification_pushes after insert on notifications referencing new table as added
  for each statement execute function queue_notification_pushes();

-- a decision or an end of processing that was notified before
create function queue_notification_push_again() returns trigger language plpgsql as $$
begin
  insert into notification_pushes (notification_id, user_id)
  select new.id, new.user_id where exists (select from push_subscriptions s where s.user_id = new.user_id)
  on conflict do nothing;
  return null;
end $$;
create trigger queue_notification_push_again after update of created_at on notifications for each row
  when (new.kind <> 'subscriber') execute function queue_notification_push_again();

create table webhooks (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  is_site boolean not null,
  url text not null,
  secret text not null,
  events text[] not null,
  failures integer not null default 0,
  paused_at timestamptz(3),
  created_at timestamptz(3) not null
);
comment on table webhooks is 'Addresses to which events are sent.';
comment on column webhooks.is_site is 'Events of everybody, while the owner is an administrator.';
comment on column webhooks.secret is 'The key of signatures, so it cannot be a hash.';
create index webhooks_user_id on webhooks (user_id);
create index webhooks_site on webhooks (id) where is_site;

create table webhook_deliveries (
  id text collate "C" primary key,
  webhook_id text collate "C" not null references webhooks on delete cascade,
  event text not null,
  subject_id text not null,
  data jsonb not null,
  created_at timestamptz(3) not null default now(),
  next_attempt_at timestamptz(3) default 'epoch',
  attempts integer not null default 0,
  is_delivered boolean not null default false,
  status integer,
  problem text,
  duration_ms integer
);
comment on table webhook_deliveries is 'The last deliveries of each webhook, and those that wait.';
comment on column webhook_deliveries.next_attempt_at is 'Null once it was delivered or given up; new ones are due immediately.';
create index webhook_deliveries_webhook_id on webhook_deliveries (webhook_id, created_at desc);
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where next_attempt_at is not null;
-- a video that is hidden and shown again is published once
create unique index webhook_deliveries_published on webhook_deliveries (webhook_id, subject_id) where event = 'video.published';

-- # Portability

create table account_exports (
  user_id text collate "C" primary key references users on delete cascade,
  id text collate "C" not null unique,
  state text not null default 'running' check (state in ('running', 'ready', 'failed')),
  progress real not null default 0,
  size_bytes bigint,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
comment on table account_exports is 'The archive of an account, at most one, and how far a job has made it.';

create table account_imports (
  user_id text collate "C" primary key references users on delete cascade,
  id text collate "C" not null unique,
  state text not null default 'running' check (state in ('running', 'done', 'failed', 'cancelled')),
  format text,
  failure text,
  progress real not null default 0,
  report jsonb not null default '{"counts": [], "problems": [], "moreProblems": 0}',
  steps text[] collate "C" not null default '{}',
  created_at timestamptz(3) not null
);
comment on table account_imports is 'The last import into an account.';
comment on column account_imports.steps is 'Parts that are done, of imports that version 0.2.0 began; others are in account_import_steps.';

create table imported_items (
  user_id text collate "C" not null references users on delete cascade,
  kind text collate "C" not null,
  origin text collate "C" not null,
  item_id text collate "C" not null,
  is_complete boolean not null default true,
  primary key (user_id, kind, origin)
);
comment on table imported_items is 'Items that an account has imported, so that a second import does not duplicate it.';
comment on column imported_items.origin is 'Id where the item came from.';

create table imported_references (
  user_id text collate "C" not null references users on delete cascade,
  file text collate "C" not null,
  list text collate "C" not null default '',
  key text collate "C" not null,
  content jsonb not null,
  position integer,
  primary key (user_id, file, list, key)
);
comment on table imported_references is
  'References of an imported archive that this site could not resolve, as the archive had them. Exports contain them again.';
comment on column imported_references.file is 'File of the archive.';
comment on column imported_references.list is 'Id of the playlist, group of channels or video that the reference belongs to.';
comment on column imported_references.key is 'Id in the archive.';
comment on column imported_references.position is 'In an ordered list.';

create table video_imports (
  id text collate "C" primary key,
  owner_id text collate "C" not null references users on delete cascade,
  url text not null,
  title text not null,
  visibility text not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  received_bytes bigint not null default 0,
  size_bytes bigint,
  failure text,
  created_at timestamptz(3) not null,
  description text not null default '',
  tags text[] not null default '{}',
  published_at timestamptz(3),
  notifies_subscribers boolean not null default true,
  is_retryable boolean not null default false
);
comment on table video_imports is 'Videos that are fetched from an address. The video gets the id of its import.';
comment on column video_imports.size_bytes is 'Null until the server states it.';
comment on column video_imports.published_at is 'Null for the time of the import.';
comment on column video_imports.is_retryable is 'Of a failure that may pass. A feed begins such an import again.';
create index video_imports_owner_id on video_imports (owner_id, created_at desc);

create table feed_imports (
  id text collate "C" primary key,
  owner_id text collate "C" not null references users on delete cascade,
  url text not null,
  title text,
  visibility text not null,
  imports_existing boolean not null,
  etag text,
  last_modified text,
  checked_at timestamptz(3),
  next_check_at timestamptz(3) not null,
  next_import_at timestamptz(3),
  failures integer not null default 0,
  failure text,
  paused_at timestamptz(3),
  created_at timestamptz(3) not null,
  unique (owner_id, url)
);
comment on table feed_imports is 'Feeds whose new videos are imported.';
comment on column feed_imports.title is 'Null until the feed was read.';
comment on column feed_imports.next_import_at is 'After a quota or limit was reached.';
comment on column feed_imports.failures is 'In a row.';
create index feed_imports_due on feed_imports (next_check_at) where paused_at is null;

create table feed_import_entries (
  feed_id text collate "C" not null references feed_imports on delete cascade,
  key text collate "C" not null,
  position bigint generated always as identity,
  content text,
  video_id text collate "C",
  attempts integer not null default 0,
  next_attempt_at timestamptz(3),
  primary key (feed_id, key)
);
comment on table feed_import_entries is 'Entries of feeds that were seen, so that each is imported once.';
comment on column feed_import_entries.key is 'Hash of the id of the entry, which has any length.';
comment on column feed_import_entries.content is 'JSON, until it is imported or given up; null for one that is not imported.';
comment on column feed_import_entries.video_id is 'Its import, and later its video; null while it waits.';
comment on column feed_import_entries.next_attempt_at is 'Null before the first attempt.';
create index feed_import_entries_waiting on feed_import_entries (feed_id, position) where content is not null;

-- # Operations

create table site (
  only_row boolean primary key default true check (only_row),
  storage_id text not null
);
comment on table site is
  'The storage of this database. The storage has the same id in the object "site-id", so that neither is used with another one: clean-ups delete objects without a row.';

create table site_secret (
  is_only boolean primary key default true check (is_only),
  secret bytea not null
);
comment on table site_secret is
  'A random secret with which addresses and names are hashed before they are stored. The first process that needs it creates it; a backup contains it.';

create table site_settings (
  name text collate "C" primary key,
  value jsonb not null
);
comment on table site_settings is 'Settings of administrators, by name: name of the site, colour, texts, who may register.';

create table setup_token (
  only_row boolean primary key default true check (only_row),
  token_hash bytea not null
);
comment on table setup_token is 'Hash of the secret in the link that sets up an empty site. The last start of the empty site has printed the link.';

-- With the first administrator, however made, the link of the terminal ends.
create function delete_setup_token() returns trigger language plpgsql as $$
begin
  delete from setup_token;
  return null;
end $$;
create trigger delete_setup_token after insert or update of role on users
  for each row when (new.role = 'administrator') execute function delete_setup_token();

create table audit_log (
  id bigint generated always as identity primary key,
  happened_at timestamptz(3) not null,
  actor text not null,
  action text not null,
  subject text not null,
  details text
);
comment on table audit_log is
  'Actions of moderators and administrators. Names are kept as they were: an entry outlives the account that it is about.';

-- unlogged: counts may be lost in a crash
create unlogged table rate_limits (
  key text primary key,
  window_ends_at timestamptz(3) not null,
  taken integer not null
);
comment on table rate_limits is 'Calls within the current window of a rate limit.';
create index rate_limits_window_ends_at on rate_limits (window_ends_at);

create table backup_run (
  only_row boolean primary key default true check (only_row),
  kind text not null check (kind in ('create', 'verify')),
  progress text not null,
  problems text[] not null,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3)
);
comment on table backup_run is 'The last backup or verification that an administrator started: its progress and its result.';

create table worker_processes (
  id text collate "C" primary key,
  started_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  cpu_seconds double precision not null
);
comment on table worker_processes is 'Running workers. Each updates its row every 15 seconds, and deletes it when it stops.';
comment on column worker_processes.cpu_seconds is 'Since its start, with that of its finished programs such as ffmpeg.';

create table storage_measurement (
  only_row boolean primary key default true check (only_row),
  picture_bytes bigint not null,
  segment_bytes bigint not null,
  freed_bytes bigint not null,
  measured_at timestamptz(3) not null
);
comment on table storage_measurement is 'Sizes of files that no row knows, as a job has added them up.';
comment on column storage_measurement.freed_bytes is 'By the eviction before it.';
