import { sql } from 'kysely'
import { notify } from '@kinora/platform/db/pubsub.ts'
import type { Db } from '../../../../context/database.ts'
import { streamGrew } from '../topics.ts'

/** A chunk without its bytes. Times are microseconds. */
export interface LiveChunk {
  part: number
  chunk: number
  startMicros: number
  endMicros: number
  audioStartMicros: number
  audioEndMicros: number
  receivedAt: Date
  hasAudio: boolean
}

export interface ChunkBytes {
  video: Buffer
  audio: Buffer | null
}

/** Stores a chunk, and publishes that. */
export async function insertChunk(
  db: Db,
  videoId: string,
  chunk: Omit<LiveChunk, 'hasAudio'> & ChunkBytes,
): Promise<void> {
  await db
    .with('stored', (query) =>
      query
        .insertInto('liveChunks')
        .values({ videoId, ...chunk })
        .returning('videoId'),
    )
    .selectFrom('stored')
    .select((row) => notify(streamGrew.name, row.ref('stored.videoId')).as('isPublished'))
    .execute()
}

/** Chunks of parts from a number on, in order. */
export function listChunks(db: Db, videoId: string, fromPart: number): Promise<LiveChunk[]> {
  return db
    .selectFrom('liveChunks')
    .select(['part', 'chunk', 'startMicros', 'endMicros', 'audioStartMicros', 'audioEndMicros', 'receivedAt'])
    .select(sql<boolean>`audio is not null`.as('hasAudio'))
    .where('videoId', '=', videoId)
    .where('part', '>=', fromPart)
    .orderBy('part')
    .orderBy('chunk')
    .execute()
}

export function findChunkBytes(
  db: Db,
  videoId: string,
  { part, chunk }: Pick<LiveChunk, 'part' | 'chunk'>,
): Promise<ChunkBytes | undefined> {
  return db
    .selectFrom('liveChunks')
    .select(['video', 'audio'])
    .where('videoId', '=', videoId)
    .where('part', '=', part)
    .where('chunk', '=', chunk)
    .executeTakeFirst()
}

/** Deletes the chunks of parts before a number. */
export async function deleteChunksBefore(db: Db, videoId: string, part: number): Promise<void> {
  await db.deleteFrom('liveChunks').where('videoId', '=', videoId).where('part', '<', part).execute()
}

/** Deletes the chunks that were received before a time, but for those that a recording may still get. */
export async function deleteOldChunks(db: Db, before: Date): Promise<void> {
  await sql`
    delete from live_chunks where received_at < ${before}::timestamptz
      and not exists (select from videos v where v.id = live_chunks.video_id and v.is_live)`.execute(db)
}
