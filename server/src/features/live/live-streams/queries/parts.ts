import type { SourceInfo } from '@kinora/media/source/source-info.ts'
import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { isNotTakenDown, isVisibleToEverybody } from '../../../visibility/queries.ts'

/** A part of a recording. Times are microseconds, `position` is its first byte in the file. */
export interface LivePart {
  part: number
  startMicros: number
  endMicros: number
  audioStartMicros: number
  audioEndMicros: number
  position: number
  videoBytes: number
  audioBytes: number
  receivedAt: Date
  isResumed: boolean
}

export async function insertPart(db: Db, videoId: string, part: LivePart): Promise<void> {
  await db
    .insertInto('liveParts')
    .values({ videoId, ...part })
    .execute()
}

const partColumns = [
  'part',
  'startMicros',
  'endMicros',
  'audioStartMicros',
  'audioEndMicros',
  'position',
  'videoBytes',
  'audioBytes',
  'receivedAt',
  'isResumed',
] as const

/** Parts from a number on, in order. */
export function listParts(db: Db, videoId: string, from: number): Promise<LivePart[]> {
  return db
    .selectFrom('liveParts')
    .select(partColumns)
    .where('videoId', '=', videoId)
    .where('part', '>=', from)
    .orderBy('part')
    .execute()
}

/** Deletes the parts that end after a size: a disk lost their bytes with its power. */
export async function deletePartsBeyond(db: Db, videoId: string, sizeBytes: number): Promise<void> {
  await sql`
    delete from live_parts
    where video_id = ${videoId} and position + video_bytes + audio_bytes > ${sizeBytes}::bigint`.execute(db)
}

export function findLastPart(db: Db, videoId: string): Promise<LivePart | undefined> {
  return db
    .selectFrom('liveParts')
    .select(partColumns)
    .where('videoId', '=', videoId)
    .orderBy('part', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** A stream as its playlists need it, without its parts. */
export interface PlayableStream {
  videoId: string
  sourceKey: string
  source: SourceInfo
  init: Buffer
  startedAt: Date
  endedAt: Date | null
  /** Whether everybody who has the URL may read its bytes. */
  isOpen: boolean
}

/**
 * A stream without a check of visibility; undefined if the video never was one, is taken down or cut, or has got another file
 * since its end.
 */
export async function findPlayableStream(db: Db, videoId: string): Promise<PlayableStream | undefined> {
  const row = await db
    .selectFrom('liveStreams')
    .innerJoin('videos', 'videos.id', 'liveStreams.videoId')
    .select(['videoId', 'videos.sourceKey', 'videos.source', 'init', 'startedAt', 'endedAt'])
    .select(isVisibleToEverybody('videos').as('isOpen'))
    .where('videoId', '=', videoId)
    .where(isNotTakenDown('videos'))
    // these addresses are of the whole recording
    .where('videos.cut', 'is', null)
    .where('videos.replacement', 'is', null)
    .executeTakeFirst()
  // only publications write the column, from a `SourceInfo`
  return row && { ...row, source: row.source as SourceInfo }
}

/** Records how many watch a stream by one web process. */
export async function putViewers(
  db: Db,
  row: { videoId: string; process: string; viewers: number; countedAt: Date },
): Promise<void> {
  await sql`
    insert into live_viewers (video_id, process, viewers, counted_at)
    select video_id, ${row.process}, ${row.viewers}, ${row.countedAt}::timestamptz from live_streams where video_id = ${row.videoId}
    on conflict (video_id, process) do update set viewers = excluded.viewers, counted_at = excluded.counted_at`.execute(
    db,
  )
  await sql`
    update live_streams set peak_viewers = greatest(peak_viewers, (${viewersNow(row.countedAt)}))
    where video_id = ${row.videoId} and ended_at is null`.execute(db)
}

/** Counts of processes that are older do not count. */
const COUNTED_SECONDS = 20

/** The number of viewers of the stream of a row of `live_streams`. */
export const viewersNow = (now: Date) => sql<number>`
  select coalesce(sum(viewers), 0)::int from live_viewers
  where live_viewers.video_id = live_streams.video_id
    and counted_at > ${now}::timestamptz - make_interval(secs => ${COUNTED_SECONDS})`
