import type { Page } from '@kinora/contract/endpoint.ts'
import { type HistoryEntry, listedPositions } from '@kinora/contract/watching/history.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { type PageRequest, toPage } from '@kinora/platform/db/cursor.ts'
import { toVideo, videoColumns, type VideoRow } from '../../videos/videos/queries/videos.ts'
import { isVisible } from '../../visibility/queries.ts'

const isRecording = (userId: string) =>
  sql<boolean>`not exists (select from paused_histories where user_id = ${userId})`

/**
 * Positions are stored in the time of the whole file, so that they stay where they are in every cut. The beginning, and the
 * end of a video that was watched, is 0 in each.
 */
const shownPosition = sql<number>`time_in_cut(v.cut, h.position_seconds)`

/**
 * Moves a video to the top of a user's history, unless that is paused. Returns whether the video exists. The key share
 * lock keeps the video from being deleted until its entry is inserted.
 */
export async function putWatched(db: Db, userId: string, videoId: string): Promise<boolean> {
  const { rows } = await sql`
    with known as (
      select v.id from videos v where v.id = ${videoId} and ${isVisible(userId)} for key share
    ), recorded as (
      insert into watch_history (user_id, video_id, watched_at)
      select ${userId}, known.id, clock_timestamp() from known where ${isRecording(userId)}
      on conflict (user_id, video_id) do update set watched_at = excluded.watched_at
    )
    select from known`.execute(db)
  return rows.length === 1
}

/** The videos that a user watched, last watched first, without positions. */
export async function listWatched(
  db: Db,
  userId: string,
  { cursor, limit }: PageRequest,
): Promise<Page<Video>> {
  const after = cursor
    ? sql`and (h.watched_at, h.video_id) < (${cursor.at}::timestamptz, ${cursor.id})`
    : sql``
  const { rows } = await sql<VideoRow & { watchedAt: Date }>`
    select ${videoColumns}, h.watched_at
    from watch_history h join videos v on v.id = h.video_id join users o on o.id = v.owner_id
    where h.user_id = ${userId} and h.watched_at is not null and ${isVisible(userId)} ${after}
    order by h.watched_at desc, h.video_id desc limit ${limit + 1}`.execute(db)
  return toPage(rows, limit, toVideo, (row) => ({ at: row.watchedAt.toISOString(), id: row.id }))
}

/** Where a user stopped a video, 0 if they never watched it; undefined if the video does not exist. */
export async function findPosition(db: Db, userId: string, videoId: string): Promise<number | undefined> {
  const { rows } = await sql<{ positionSeconds: number }>`
    select coalesce(${shownPosition}, 0) as position_seconds
    from videos v left join watch_history h on h.video_id = v.id and h.user_id = ${userId}
    where v.id = ${videoId} and ${isVisible(userId)}`.execute(db)
  return rows[0]?.positionSeconds
}

/** Lengths that differ by less are those of the same cut: players add up the segments. */
const sameLengthSeconds = 1

/**
 * Stores where a user stopped a video, unless the history is paused; a finished one starts at 0 the next time. Does not add
 * the video to the history. A position that a player reports of an earlier cut, which had another length, is not stored.
 * Returns whether the video exists.
 */
export async function putPosition(
  db: Db,
  userId: string,
  videoId: string,
  {
    positionSeconds,
    durationSeconds,
    isFinished = false,
  }: { positionSeconds: number; durationSeconds?: number | undefined; isFinished?: boolean | undefined },
): Promise<boolean> {
  const isStart = isFinished || positionSeconds === 0
  const isOfThisCut =
    isStart || durationSeconds === undefined
      ? sql`true`
      : sql`(abs(known.duration_seconds - ${durationSeconds}::float8) < ${sameLengthSeconds}
          or not exists (select from video_cuts where video_id = known.id))`
  const { rows } = await sql`
    with known as (
      select v.id, v.cut, v.duration_seconds from videos v where v.id = ${videoId} and ${isVisible(userId)} for key share
    ), recorded as (
      insert into watch_history as kept (user_id, video_id, position_seconds, is_finished)
      select ${userId}, known.id, case when ${isStart} then 0 else time_in_file(known.cut, ${positionSeconds}::float8) end, ${isFinished}
      from known
      where ${isRecording(userId)} and ${isOfThisCut}
      on conflict (user_id, video_id) do update set position_seconds = excluded.position_seconds,
        is_finished = kept.is_finished or excluded.is_finished
    )
    select from known`.execute(db)
  return rows.length === 1
}

/**
 * The history with positions, last watched first: videos with all `words` in title or channel, and if `isUnfinished`, only
 * those stopped half way. The position of a video watched to its end is 0.
 */
export async function listHistory(
  db: Db,
  userId: string,
  { words, isUnfinished }: { words: readonly string[]; isUnfinished: boolean },
  { cursor, limit }: PageRequest,
): Promise<Page<HistoryEntry>> {
  const after = cursor
    ? sql`and (h.watched_at, h.video_id) < (${cursor.at}::timestamptz, ${cursor.id})`
    : sql``
  const unfinished = isUnfinished ? sql`and h.position_seconds > 0` : sql``
  const patterns = words.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`)
  const { rows } = await sql<VideoRow & { watchedAt: Date; positionSeconds: number; isFinished: boolean }>`
    select ${videoColumns}, h.watched_at, ${shownPosition} as position_seconds, h.is_finished
    from watch_history h join videos v on v.id = h.video_id join users o on o.id = v.owner_id
    where h.user_id = ${userId} and h.watched_at is not null and ${isVisible(userId)} ${unfinished} ${after}
      and concat_ws(' ', v.title, o.fullname, o.username) ilike all (${patterns}::text[])
    order by h.watched_at desc, h.video_id desc limit ${limit + 1}`.execute(db)
  return toPage(
    rows,
    limit,
    (row) => ({
      watchedAt: row.watchedAt.toISOString(),
      positionSeconds: row.positionSeconds,
      isFinished: row.isFinished,
      video: toVideo(row),
    }),
    (row) => ({ at: row.watchedAt.toISOString(), id: row.id }),
  )
}

/** Deletes a video from a history, with its position. */
export async function deleteWatched(db: Db, userId: string, videoId: string): Promise<boolean> {
  const { numAffectedRows } =
    await sql`delete from watch_history where user_id = ${userId} and video_id = ${videoId}`.execute(db)
  return numAffectedRows === 1n
}

/** Deletes a history, with all positions. */
export async function deleteHistory(db: Db, userId: string): Promise<void> {
  await sql`delete from watch_history where user_id = ${userId}`.execute(db)
}

export async function isHistoryPaused(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`select from paused_histories where user_id = ${userId}`.execute(db)
  return rows.length === 1
}

export async function putHistoryPaused(db: Db, userId: string, isPaused: boolean): Promise<void> {
  if (isPaused)
    await sql`insert into paused_histories (user_id) values (${userId}) on conflict do nothing`.execute(db)
  else await sql`delete from paused_histories where user_id = ${userId}`.execute(db)
}

/** Positions in the videos last watched that the user may still see: not finished ones, and `withFinished` these too. */
export async function listPositions(
  db: Db,
  userId: string,
  withFinished: boolean,
): Promise<{ videoId: string; positionSeconds: number; isFinished: boolean }[]> {
  const { rows } = await sql<{ videoId: string; positionSeconds: number; isFinished: boolean }>`
    select h.video_id, ${shownPosition} as position_seconds, h.is_finished from watch_history h join videos v on v.id = h.video_id
    where h.user_id = ${userId} and h.watched_at is not null
      and (h.position_seconds > 0 or h.is_finished and ${withFinished}) and ${isVisible(userId)}
    order by h.watched_at desc limit ${listedPositions}`.execute(db)
  return rows
}

/**
 * Adds entries of the history, as an import brings them, also while the history is paused. Entries that exist stay. Returns
 * the number of new ones.
 */
export async function restoreHistory(
  db: Db,
  userId: string,
  entries: readonly {
    videoId: string
    watchedAt: string | null
    positionSeconds: number
    isFinished?: boolean | undefined
  }[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into watch_history (user_id, video_id, watched_at, position_seconds, is_finished)
    select ${userId}, v.id, case when watched_at > now() then now() else watched_at end,
      case when restored.position_seconds = 0 then 0 else time_in_file(v.cut, restored.position_seconds) end, restored.is_finished
    from unnest(
      ${entries.map(({ videoId }) => videoId)}::text[],
      ${entries.map(({ watchedAt }) => watchedAt)}::timestamptz[],
      ${entries.map(({ positionSeconds }) => positionSeconds)}::float8[],
      ${entries.map(({ isFinished }) => isFinished ?? false)}::boolean[]
    ) as restored (video_id, watched_at, position_seconds, is_finished) join videos v on v.id = restored.video_id
    order by v.id for key share of v
    on conflict do nothing`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
