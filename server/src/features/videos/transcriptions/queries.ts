import { type Explanation } from '@kinora/contract/failure.ts'
import type { Transcription } from '@kinora/contract/videos/transcriptions.ts'
import type { SpeechRange, TimedText } from '@kinora/media/speech/speech.ts'
import { failureColumns } from '@kinora/platform/db/failure-columns.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { isNotTakenDown } from '../../visibility/queries.ts'
import { POPULAR } from '../playback/rules.ts'

export type TranscriptionRow = Pick<
  Transcription,
  'isEnabled' | 'isChannelEnabled' | 'state' | 'progress' | 'language' | 'isDetected'
> & { failure: string | null; cause: unknown }

/** Whether the channel of `v` has automatic captions. */
const isChannelEnabled = sql<boolean>`coalesce(
  (select c.is_enabled from channel_transcriptions c where c.user_id = v.owner_id), true)`

/** Whether a row `t` is about the file that the video `v` has now. */
const isForCurrentFile = sql<boolean>`(t.state in ('none', 'waiting') or t.replacement is not distinct from v.replacement)`

/** The transcription of a video; one that was not asked for has the state `none`. Of another file counts as none, too. */
export async function getTranscriptionRow(db: Db, videoId: string): Promise<TranscriptionRow> {
  const { rows } = await sql<TranscriptionRow>`
    select t.is_enabled, ${isChannelEnabled} as is_channel_enabled, coalesce(o.state, 'none') as state,
      coalesce(o.progress, 0) as progress, o.language, coalesce(o.is_detected, false) as is_detected, o.failure, o.cause
    from videos v left join transcriptions t on t.video_id = v.id
    left join transcriptions o on o.video_id = t.video_id and ${isForCurrentFile}
    where v.id = ${videoId}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`video ${videoId} has no row`)
  return row
}

/** Sets whether a video gets automatic captions; null leaves it to its channel. */
export async function putChoice(db: Db, videoId: string, isEnabled: boolean | null): Promise<void> {
  await sql`
    insert into transcriptions (video_id, is_enabled) values (${videoId}, ${isEnabled})
    on conflict (video_id) do update set is_enabled = excluded.is_enabled`.execute(db)
  if (isEnabled === false) await stop(db, sql`video_id = ${videoId} and requested_at is null`)
}

/** Whether videos of a channel get automatic captions. */
export async function isEnabledForChannel(db: Db, userId: string): Promise<boolean> {
  const choice = await db
    .selectFrom('channelTranscriptions')
    .select('isEnabled')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return choice?.isEnabled ?? true
}

export async function putChannelChoice(db: Db, userId: string, isEnabled: boolean): Promise<void> {
  await sql`
    insert into channel_transcriptions (user_id, is_enabled) values (${userId}, ${isEnabled})
    on conflict (user_id) do update set is_enabled = excluded.is_enabled`.execute(db)
  if (!isEnabled)
    await stop(
      db,
      sql`is_enabled is null and requested_at is null and video_id in (select id from videos where owner_id = ${userId})`,
    )
}

/** Asks for the captions of a video in a language, from its beginning; one that is being recognized begins again. */
export async function requestOne(
  db: Db,
  videoId: string,
  { language, now }: { language: string | null; now: Date },
): Promise<void> {
  await sql`
    insert into transcriptions (video_id, state, language, requested_at) values (${videoId}, 'waiting', ${language}, ${now})
    on conflict (video_id) do update set state = 'waiting', language = excluded.language, is_detected = false,
      requested_at = excluded.requested_at, progress = 0, failed_attempts = 0, failure = null, cause = null, dismissed_at = null,
      seconds_recognized = 0, seconds_taken = 0, changed_at = now()`.execute(db)
  // after the state, which keeps a running recognizer from adding another
  await deleteParts(db, videoId)
}

/** Asks for the captions of all videos of a channel that have none and are not being recognized. */
export async function requestAll(db: Db, ownerId: string, now: Date): Promise<void> {
  await sql`
    insert into transcriptions as t (video_id, state, requested_at)
    select v.id, 'waiting', ${now}::timestamptz from videos v
    where v.owner_id = ${ownerId} and ${isNotTakenDown()}
      and not exists (select from captions c where c.video_id = v.id) and v.source->'captions'->0 is null
    on conflict (video_id) do update set state = 'waiting', requested_at = excluded.requested_at, progress = 0, failed_attempts = 0,
      failure = null, cause = null, dismissed_at = null, seconds_recognized = 0, seconds_taken = 0, changed_at = now()
    where t.is_enabled is not false and (t.state in ('none', 'failed')
      or t.replacement is distinct from (select replacement from videos where id = t.video_id))`.execute(db)
}

/** Stops what waits or runs, and keeps the policy of the site from beginning it again. */
export async function cancel(db: Db, videoId: string): Promise<void> {
  await putChoice(db, videoId, false)
  await stop(db, sql`video_id = ${videoId}`)
}

/** Stops what waits or runs. */
async function stop(db: Db, condition: RawBuilder<unknown>): Promise<void> {
  await sql`
    with stopped as (
      update transcriptions set state = 'none', requested_at = null, progress = 0, language = null, is_detected = false,
        changed_at = now()
      where state in ('waiting', 'running') and ${condition} returning video_id
    )
    delete from transcription_parts where video_id in (select video_id from stopped)`.execute(db)
}

/** Views of each video within the last days. */
const recent = sql`recent as (
      select video_id, sum(views) as views from daily_views
      where day > current_date - ${sql.lit(POPULAR.days)} group by video_id
    )`

/** Whether a video `v` that nobody asked for is recognized by the policy. */
const isChosen = (policy: Transcription['policy']) => sql<boolean>`(
      (t.video_id is null or t.state = 'none' or not ${isForCurrentFile}) and coalesce(t.is_enabled, ${isChannelEnabled})
      and ${policy === 'popular' ? sql`recent.views >= ${sql.lit(POPULAR.minViews)}` : sql.lit(policy === 'all')})`

/**
 * The video to recognize next: one that has begun, one that its owner asked for, then, by the policy, the most watched. Videos
 * that are being prepared wait, and those in `taken` are left to other machines.
 */
export async function findNext(
  db: Db,
  policy: Transcription['policy'],
  taken: readonly string[] = [],
): Promise<string | undefined> {
  // the sound of a live stream still grows
  const isReady = sql`v.processing_state <> 'processing' and not v.is_live and ${isNotTakenDown()} and v.id <> all(${taken}::text[])`
  // of several that have begun, one that cannot go on does not hold up the others
  const begun = await sql<{ id: string }>`
    select v.id from transcriptions t join videos v on v.id = t.video_id
    where t.state in ('waiting', 'running') and ${isReady}
    order by t.state, case when t.state = 'running' then t.changed_at end, t.requested_at, v.id limit 1`.execute(
    db,
  )
  if (begun.rows[0] || policy === 'request') return begun.rows[0]?.id
  const { rows } = await sql<{ id: string }>`
    with ${recent}
    select v.id from videos v left join recent on recent.video_id = v.id left join transcriptions t on t.video_id = v.id
    where ${isReady} and ${isChosen(policy)}
    order by recent.views desc nulls last, v.created_at desc, v.id limit 1`.execute(db)
  return rows[0]?.id
}

/** A transcription that runs. */
export interface RunningTranscription {
  /** Stated by the owner, asked for, or detected; null where it must be detected. */
  language: string | null
  isDetected: boolean
  /** Whether the owner asked for it. */
  isRequested: boolean
  replacement: string | null
}

/**
 * Begins to recognize a video, or continues where an earlier run ended with the same file. Undefined if the video was deleted,
 * or somebody has switched it off meanwhile.
 */
export async function begin(db: Db, videoId: string): Promise<RunningTranscription | undefined> {
  await sql`
    delete from transcription_parts p using transcriptions t, videos v
    where p.video_id = ${videoId} and t.video_id = p.video_id and v.id = p.video_id
      and t.replacement is distinct from v.replacement`.execute(db)
  const isSameFile = sql`t.replacement is not distinct from excluded.replacement`
  const { rows } = await sql<RunningTranscription>`
    insert into transcriptions as t (video_id, state, language, replacement)
    select v.id, 'running', v.language, v.replacement from videos v where v.id = ${videoId}
    on conflict (video_id) do update set state = 'running', replacement = excluded.replacement,
      progress = case when ${isSameFile} then t.progress else 0 end,
      language = case when t.is_detected and not ${isSameFile} then excluded.language else coalesce(t.language, excluded.language) end,
      is_detected = t.is_detected and ${isSameFile},
      failed_attempts = case when ${isSameFile} then t.failed_attempts else 0 end,
      failure = null, cause = null, dismissed_at = null, changed_at = now()
    where t.state in ('waiting', 'running')
      or (t.is_enabled is not false and (t.state = 'none' or not ${isSameFile}))
    returning t.language, t.is_detected, t.requested_at is not null as is_requested, t.replacement`.execute(
    db,
  )
  return rows[0]
}

/** Records the language that was detected, or null. */
export async function putLanguage(db: Db, videoId: string, language: string | null): Promise<void> {
  await sql`update transcriptions set language = ${language}, is_detected = true where video_id = ${videoId}`.execute(
    db,
  )
}

/** A range that was recognized, with the words in it. */
export interface RecognizedPart extends SpeechRange {
  words: TimedText[]
}

/** All words that were recognized so far, in order. */
export async function listWords(db: Db, videoId: string): Promise<TimedText[]> {
  const { rows } = await sql<{ words: TimedText[] }>`
    select words from transcription_parts where video_id = ${videoId} order by from_seconds`.execute(db)
  return rows.flatMap(({ words }) => words)
}

/** Where an earlier run ended, in seconds. */
export async function findPosition(db: Db, videoId: string): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    select max(to_seconds) as seconds from transcription_parts where video_id = ${videoId}`.execute(db)
  return rows[0]?.seconds ?? 0
}

/** Stores a part. Returns whether the transcription still runs: its owner may have stopped it. */
export async function putPart(
  db: Db,
  videoId: string,
  { fromSeconds, toSeconds, words }: RecognizedPart,
  { progress, takenSeconds }: { progress: number; takenSeconds: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with running as (
      update transcriptions set progress = ${progress}, seconds_taken = seconds_taken + ${takenSeconds},
        seconds_recognized = seconds_recognized + ${toSeconds - fromSeconds}, changed_at = now()
      where video_id = ${videoId} and state = 'running' returning video_id
    )
    insert into transcription_parts (video_id, from_seconds, to_seconds, words)
    select video_id, ${fromSeconds}, ${toSeconds}, ${JSON.stringify(words)}::jsonb from running
    on conflict (video_id, from_seconds) do update set to_seconds = excluded.to_seconds, words = excluded.words`.execute(
    db,
  )
  return (numAffectedRows ?? 0n) > 0n
}

/** Ends a transcription that runs. */
export async function end(
  db: Db,
  videoId: string,
  state: 'done' | 'silent' | 'skipped' | 'failed',
  failure?: Explanation,
): Promise<void> {
  const { failure: text = null, cause = null } = failure ? failureColumns(failure) : {}
  await sql`
    with ended as (
      update transcriptions set state = ${state}, progress = 1, requested_at = null, failure = ${text}, cause = ${cause}::jsonb,
        changed_at = now()
      where video_id = ${videoId} and state = 'running' returning video_id
    )
    delete from transcription_parts where video_id in (select video_id from ended)`.execute(db)
}

/** Counts a failure that the file may have caused. Returns how many there were. */
export async function countFailure(db: Db, videoId: string): Promise<number> {
  const { rows } = await sql<{ failedAttempts: number }>`
    update transcriptions set failed_attempts = failed_attempts + 1 where video_id = ${videoId}
    returning failed_attempts`.execute(db)
  return rows[0]?.failedAttempts ?? 0
}

async function deleteParts(db: Db, videoId: string): Promise<void> {
  await db.deleteFrom('transcriptionParts').where('videoId', '=', videoId).execute()
}

/** Locks a video that still has a file until the end of the transaction. Returns whether it has. */
export async function lockFile(db: Db, videoId: string, replacement: string | null): Promise<boolean> {
  const { rows } = await sql`
    select from videos where id = ${videoId} and replacement is not distinct from ${replacement}::text
    for no key update`.execute(db)
  return rows.length > 0
}

/** Seconds that a second took in the last videos; null where there were none. */
const speed = sql`speed as (
      select sum(seconds_taken) / nullif(sum(seconds_recognized), 0) as taken_per_second from (
        select seconds_taken, seconds_recognized from transcriptions where seconds_recognized > 0
        order by changed_at desc limit 20
      ) lately
    )`

/** Videos that wait or run. */
export interface Backlog {
  /** Videos of the channel. */
  waiting: number
  /** Of them and all that go before the last of them; of the one video, if there is one. */
  secondsLeft: number | null
}

/**
 * Videos of a channel that wait, or whether one video does, with an estimate of the time until all is done: by the speed of the last
 * videos, which is unknown at first.
 */
export async function findBacklog(
  db: Db,
  { ownerId, videoId = null }: { ownerId: string; videoId?: string | null },
): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    with open as (
      select v.id, v.owner_id, v.duration_seconds * (1 - t.progress) as seconds,
        row_number() over (order by t.state, t.requested_at, v.id) as place
      from transcriptions t join videos v on v.id = t.video_id where t.state in ('waiting', 'running')
    ), mine as (
      select count(*)::int as waiting, max(place) as place from open
      where owner_id = ${ownerId} and (${videoId}::text is null or id = ${videoId})
    ), ${speed}
    select mine.waiting, case when mine.waiting = 0 then null else ceil(speed.taken_per_second * (
      select sum(seconds) from open where place <= mine.place)) end::float8 as seconds_left
    from mine, speed`.execute(db)
  return rows[0] ?? { waiting: 0, secondsLeft: null }
}

/** Videos of the whole site that wait, also by the policy, with the length and the time that are left. */
export async function summarizeBacklog(
  db: Db,
  policy: Transcription['policy'],
): Promise<Backlog & { secondsWaiting: number }> {
  const { rows } = await sql<Backlog & { secondsWaiting: number }>`
    with ${recent}, ${speed}, open as (
      select v.duration_seconds * (1 - case when t.state = 'running' then t.progress else 0 end) as seconds
      from videos v left join recent on recent.video_id = v.id left join transcriptions t on t.video_id = v.id
      where ${isNotTakenDown()} and (t.state in ('waiting', 'running') or ${isChosen(policy)}
        and not exists (select from captions c where c.video_id = v.id) and v.source->'captions'->0 is null)
    ), summed as (select count(*)::int as waiting, coalesce(sum(seconds), 0)::float8 as seconds_waiting from open)
    select waiting, seconds_waiting, ceil(speed.taken_per_second * seconds_waiting)::float8 as seconds_left
    from summed, speed`.execute(db)
  return rows[0] ?? { waiting: 0, secondsWaiting: 0, secondsLeft: null }
}

/** A video whose speech could not be recognized. */
export interface FailedTranscriptionRow {
  id: string
  title: string
  owner: string
  failure: string | null
  cause: unknown
  failedAt: Date
}

/** Videos whose transcription failed and was not dismissed, the newest first. */
export async function listFailed(db: Db, limit: number): Promise<FailedTranscriptionRow[]> {
  const { rows } = await sql<FailedTranscriptionRow>`
    select v.id, v.title, u.username as owner, t.failure, t.cause, t.changed_at as failed_at
    from transcriptions t join videos v on v.id = t.video_id join users u on u.id = v.owner_id
    where t.state = 'failed' and t.dismissed_at is null and ${isForCurrentFile}
    order by t.changed_at desc, v.id limit ${limit}`.execute(db)
  return rows
}

/** Has failed transcriptions wait again, by the policy and not as a request of the owner. Returns their videos. */
export async function retryFailed(db: Db, videoIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ videoId: string }>`
    update transcriptions set state = 'waiting', progress = 0, failed_attempts = 0, failure = null, cause = null,
      dismissed_at = null, changed_at = now()
    where state = 'failed' and video_id = any(${videoIds}::text[]) returning video_id`.execute(db)
  return rows.map(({ videoId }) => videoId)
}

/** Takes failed transcriptions off the list. Returns their videos. */
export async function dismissFailed(db: Db, videoIds: readonly string[], now: Date): Promise<string[]> {
  const { rows } = await sql<{ videoId: string }>`
    update transcriptions set dismissed_at = ${now}
    where state = 'failed' and dismissed_at is null and video_id = any(${videoIds}::text[]) returning video_id`.execute(
    db,
  )
  return rows.map(({ videoId }) => videoId)
}

/** Records that a worker can recognize speech. */
export async function recordRecognizer(db: Db): Promise<void> {
  await sql`insert into speech_recognizers (id) values ('worker') on conflict (id) do update set seen_at = now()`.execute(
    db,
  )
}

/** Whether a worker could recognize speech within the last minutes. */
export async function hasRecognizer(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from speech_recognizers where seen_at > now() - interval '10 minutes'`.execute(db)
  return rows.length > 0
}
