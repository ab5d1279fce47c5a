import type { SourceInfo } from '@kinora/media/source/source-info.ts'
import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { isNotTakenDown, isVisibleToEverybody } from '../../../visibility/queries.ts'

/** A part of a recording. Times are microseconds, `position` is its first byte in its file. */
export interface LivePart {
  part: number
  startMicros: number
  endMicros: number
  audioStartMicros: number
  audioEndMicros: number
  file: number
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
  'file',
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

export function findPart(db: Db, videoId: string, part: number): Promise<LivePart | undefined> {
  return db
    .selectFrom('liveParts')
    .select(partColumns)
    .where('videoId', '=', videoId)
    .where('part', '=', part)
    .executeTakeFirst()
}

/** Whether a stream was not deleted. */
export async function isStreamThere(db: Db, videoId: string): Promise<boolean> {
  const row = await db
    .selectFrom('liveStreams')
    .select('videoId')
    .where('videoId', '=', videoId)
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes the parts that end after the size of their file: a disk lost their bytes with its power. */
export async function deletePartsBeyond(
  db: Db,
  videoId: string,
  { file, sizeBytes }: { file: number; sizeBytes: number },
): Promise<void> {
  await sql`
    delete from live_parts where video_id = ${videoId} and file = ${file}
      and position + video_bytes + audio_bytes > ${sizeBytes}::bigint`.execute(db)
}

/**
 * Deletes the parts in files that end before a time, and counts them. Returns these files and parts: nothing shows them any
 * more.
 */
export async function dropPartsBefore(
  db: Db,
  videoId: string,
  micros: number,
): Promise<{ files: number[]; parts: number[] }> {
  const { rows } = await sql<{ file: number; part: number }>`
    with old as (
      select file from live_parts where video_id = ${videoId} group by file having max(end_micros) < ${micros}::bigint
    ), dropped as (
      delete from live_parts using old where video_id = ${videoId} and live_parts.file = old.file
      returning live_parts.file, part, audio_bytes
    ), counted as (
      update live_streams set
        dropped_parts = dropped_parts + (select count(*) from dropped),
        dropped_sounds = dropped_sounds + (select count(*) from dropped where audio_bytes > 0)
      where video_id = ${videoId}
    )
    select file, part from dropped order by part`.execute(db)
  return { files: [...new Set(rows.map(({ file }) => file))], parts: rows.map(({ part }) => part) }
}

/** Records that the parts of a stream are in one file, one after another behind its init segment. */
export async function relocateParts(db: Db, videoId: string, initBytes: number): Promise<void> {
  await sql`
    update live_parts set file = 0, position = ${initBytes}::bigint + place.before
    from (
      select part, sum(video_bytes + audio_bytes) over (order by part) - video_bytes - audio_bytes as before
      from live_parts where video_id = ${videoId}
    ) place
    where video_id = ${videoId} and live_parts.part = place.part`.execute(db)
}

/** Deletes the parts of a stream, which became an ordinary video. */
export async function deleteParts(db: Db, videoId: string): Promise<void> {
  await db.deleteFrom('liveParts').where('videoId', '=', videoId).execute()
}

/** The files of a recording, and where their parts begin and end. */
export async function listFiles(
  db: Db,
  videoId: string,
): Promise<{ file: number; start: number; end: number }[]> {
  const { rows } = await sql<{ file: number; start: number; end: number }>`
    select file, min(position)::float8 as start, max(position + video_bytes + audio_bytes)::float8 as "end"
    from live_parts where video_id = ${videoId} group by file order by file`.execute(db)
  return rows
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
  keepsRecording: boolean
  /** Names of the renditions that viewers get. */
  renditions: string[]
  /** Parts, and those with sound, that no longer exist. */
  droppedParts: number
  droppedSounds: number
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
    .select(['keepsRecording', 'renditions', 'droppedParts', 'droppedSounds'])
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
