import type { Processing, VideoProcessing } from '@kinora/contract/videos/videos.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database, Db } from '../../../../context/database.ts'
import { notify } from '@kinora/platform/db/pubsub.ts'
import type { VideoRow } from './videos.ts'
import { isNotTakenDown } from '../../../visibility/queries.ts'
import { processingPrefix } from '../topics.ts'
import { causeOfProcessing } from '../rules.ts'

/** A file of a video, which another one may have replaced. */
type FileOfVideo = Pick<Selectable<Database['videos']>, 'id' | 'sourceKey'>

/**
 * Locks a video that still has this file until the end of the transaction. Returns its processing state; undefined if it
 * was deleted, taken down, or its file replaced.
 */
export async function lockPrepared(
  db: Db,
  { id, sourceKey }: FileOfVideo,
): Promise<VideoRow['processingState'] | undefined> {
  const row = await db
    .selectFrom('videos')
    .select('processingState')
    .where('id', '=', id)
    .where('sourceKey', '=', sourceKey)
    .where(isNotTakenDown('videos'))
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.processingState
}

/** Records the progress of preparation and notifies the owner; does nothing if the video was deleted. */
export function updateProcessing(db: Db, id: string, processing: KeptProcessing): Promise<void> {
  return writeProcessing(db, id, processing, sql`true`)
}

/** Records progress, unless the preparation has failed. */
export function updateProgress(db: Db, id: string, progress: number): Promise<void> {
  const processing = { state: 'processing', progress, reason: null } as const
  return writeProcessing(db, id, processing, sql`processing_state = 'processing'`)
}

/** Records a notice about a video that is ready and still has this file. */
export function updateReason(db: Db, { id, sourceKey }: FileOfVideo, reason: string | null): Promise<void> {
  const condition = sql`processing_state = 'ready' and source_key = ${sourceKey}`
  return writeProcessing(db, id, { state: 'ready', progress: 1, reason }, condition)
}

/** Counts a preparation that begins again. Its end is another event. */
export async function countPreparation(db: Db, id: string): Promise<void> {
  await sql`update videos set preparation = preparation + 1 where id = ${id}`.execute(db)
}

/** Records the tracks of which nothing can be encoded, in place of those recorded before. */
export async function updateFailedTracks(db: Db, id: string, tracks: readonly string[]): Promise<void> {
  const added = tracks.length === 0 ? {} : { failedTracks: tracks }
  await sql`
    update videos set source = (source - 'failedTracks') || ${JSON.stringify(added)}::jsonb
    where id = ${id} and source is distinct from (source - 'failedTracks') || ${JSON.stringify(added)}::jsonb`.execute(
    db,
  )
}

type KeptProcessing = Processing & { state: VideoRow['processingState'] }

async function writeProcessing(
  db: Db,
  id: string,
  processing: KeptProcessing,
  condition: RawBuilder<unknown>,
): Promise<void> {
  const message: VideoProcessing = { videoId: id, ...processing, ...causeOfProcessing(processing.reason) }
  await sql`
    with changed as (
      update videos set processing_state = ${processing.state}, processing_progress = ${processing.progress},
        processing_reason = ${processing.reason}
      where id = ${id} and ${condition} returning owner_id
    )
    select ${notify(sql`${processingPrefix} || owner_id`, JSON.stringify(message))} from changed`.execute(db)
}

/** Processing states of an owner's videos that are not ready. */
export async function listUnreadyVideos(db: Db, ownerId: string): Promise<VideoProcessing[]> {
  const { rows } = await sql<VideoProcessing>`
    select id as video_id, processing_state as state, processing_progress as progress, processing_reason as reason
    from videos v where owner_id = ${ownerId} and processing_state <> 'ready' and ${isNotTakenDown()}
    order by created_at desc, id desc limit 200`.execute(db)
  return rows.map((row) => ({ ...row, ...causeOfProcessing(row.reason) }))
}

/** Ids of the videos whose preparation has not ended. */
export async function listUnprepared(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('videos')
    .select('id')
    .where('processingState', '=', 'processing')
    .execute()
  return rows.map(({ id }) => id)
}

/** Records that the storyboard of this file exists. */
export async function markStoryboard(db: Db, { id, sourceKey }: FileOfVideo): Promise<void> {
  await db
    .updateTable('videos')
    .set({ hasStoryboard: true })
    .where('id', '=', id)
    .where('sourceKey', '=', sourceKey)
    .execute()
}
