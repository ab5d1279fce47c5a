import type { LiveEndReason, LiveHealth } from '@kinora/contract/live/live-streams.ts'
import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { storagePrefixes } from '../../../../context/storage-keys.ts'
import { isNotTakenDown } from '../../../visibility/queries.ts'

export interface NewLiveStream {
  videoId: string
  channelId: string
  format: string
  init: Buffer
  keepsRecording: boolean
  isFromBrowser: boolean
  now: Date
}

export async function insertStream(db: Db, { now, ...stream }: NewLiveStream): Promise<void> {
  await db
    .insertInto('liveStreams')
    .values({ ...stream, startedAt: now, seenAt: now })
    .execute()
}

/** A stream that runs, and where its recording continues. */
export interface RunningStream {
  videoId: string
  channelId: string
  sourceKey: string
  format: string
  keepsRecording: boolean
  startedAt: Date
  seenAt: Date
  isConnected: boolean
}

/** The streams that have not ended; of one channel, if it is given. */
export function listRunning(db: Db, channelId?: string): Promise<RunningStream[]> {
  return db
    .selectFrom('liveStreams')
    .innerJoin('videos', 'videos.id', 'liveStreams.videoId')
    .select(['videoId', 'channelId', 'videos.sourceKey', 'format', 'keepsRecording'])
    .select(['startedAt', 'seenAt', 'isConnected'])
    .where('endedAt', 'is', null)
    .$if(channelId !== undefined, (query) => query.where('channelId', '=', channelId ?? ''))
    .execute()
}

/** Streams of these videos that have to end, with the reasons. A deleted video is not among the rest. */
export async function listStates(
  db: Db,
  videoIds: readonly string[],
): Promise<{ videoId: string; end: LiveEndReason | null }[]> {
  const { rows } = await sql<{ videoId: string; end: LiveEndReason | null }>`
    select s.video_id, case
      when s.ended_at is not null then coalesce(s.end_reason, 'lost')
      when s.end_requested is not null then s.end_requested
      when o.suspended_at is not null then 'suspended'
      when not ${isNotTakenDown('v')} then 'taken_down' end as "end"
    from live_streams s join videos v on v.id = s.video_id join users o on o.id = v.owner_id
    where s.video_id = any(${videoIds}::text[])`.execute(db)
  return rows
}

/** Why the last stream of a channel ended, if the server ended it after a time. */
export async function findLastEnd(
  db: Db,
  channelId: string,
  since: Date,
): Promise<LiveEndReason | undefined> {
  const row = await db
    .selectFrom('liveStreams')
    .select('endReason')
    .where('channelId', '=', channelId)
    .where('endedAt', '>', since)
    .orderBy('endedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (row?.endReason as LiveEndReason | null) ?? undefined
}

export async function countRunning(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('liveStreams')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export async function updateConnection(
  db: Db,
  videoId: string,
  { isConnected, health, seenAt }: { isConnected: boolean; health?: LiveHealth; seenAt?: Date | undefined },
): Promise<void> {
  await db
    .updateTable('liveStreams')
    .set({ isConnected, ...(seenAt && { seenAt }), ...(health && { health: JSON.stringify(health) }) })
    .where('videoId', '=', videoId)
    .execute()
}

/** Marks all streams as without a connection: the process that had them is gone. */
export async function disconnectAll(db: Db): Promise<void> {
  await db.updateTable('liveStreams').set({ isConnected: false }).where('endedAt', 'is', null).execute()
}

/** Offers a rendition to viewers of a stream. */
export async function addRendition(db: Db, videoId: string, name: string): Promise<void> {
  await sql`
    update live_streams set renditions = array_append(renditions, ${name})
    where video_id = ${videoId} and not ${name} = any(renditions)`.execute(db)
}

/** Asks the ingest process to end streams: of a channel, or of a video. Returns how many run. */
export async function requestEnd(
  db: Db,
  stream: { channelId: string } | { videoId: string },
  reason: LiveEndReason,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('liveStreams')
    .set({ endRequested: reason })
    .where('endedAt', 'is', null)
    .where((row) =>
      'videoId' in stream ? row('videoId', '=', stream.videoId) : row('channelId', '=', stream.channelId),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Ends a stream. Returns whether it ran. */
export async function endStream(
  db: Db,
  videoId: string,
  { reason, now }: { reason: LiveEndReason; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('liveStreams')
    .set({ endedAt: now, endReason: reason, isConnected: false })
    .where('videoId', '=', videoId)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** An ended stream whose video has not got its recording, also one whose job has failed. */
export async function findUnfinished(
  db: Db,
  videoId: string,
): Promise<
  | {
      sourceKey: string
      ownerId: string
      keepsRecording: boolean
      init: Buffer
      endReason: LiveEndReason | null
    }
  | undefined
> {
  return db
    .selectFrom('liveStreams')
    .innerJoin('videos', 'videos.id', 'liveStreams.videoId')
    .select(['videos.sourceKey', 'videos.ownerId', 'keepsRecording', 'init'])
    .select((row) => row.ref('endReason').$castTo<LiveEndReason | null>().as('endReason'))
    .where('videoId', '=', videoId)
    .where('endedAt', 'is not', null)
    .where('videos.sourceKey', 'like', `${storagePrefixes.live}%`)
    .executeTakeFirst()
}

/** Streams that have ended, and whose videos are still live. */
export async function listUnfinished(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('liveStreams')
    .innerJoin('videos', 'videos.id', 'liveStreams.videoId')
    .select('videoId')
    .where('endedAt', 'is not', null)
    .where('videos.isLive', '=', true)
    .execute()
  return rows.map(({ videoId }) => videoId)
}

/** Streams that ended before a time and still have parts. */
export async function listWithOldParts(db: Db, before: Date): Promise<string[]> {
  const { rows } = await sql<{ videoId: string }>`
    select s.video_id from live_streams s join videos v on v.id = s.video_id
    where s.ended_at < ${before}::timestamptz and not v.is_live
      and exists (select from live_parts where live_parts.video_id = s.video_id)`.execute(db)
  return rows.map(({ videoId }) => videoId)
}
