import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { isVisible, type ShareVisit } from '../../../visibility/queries.ts'
import { chatClosesAfter } from '../rules.ts'
import type { VideoFile } from './videos.ts'

/** When the chat of a stream that ends now closes. */
const chatUntil: RawBuilder<Date> = sql`now() + ${chatClosesAfter}::interval`

/** Whether a video is live, and a viewer may see it. */
export async function isLiveFor(db: Db, id: string, viewer: string | ShareVisit | null): Promise<boolean> {
  const { rows } = await sql`
    select from videos v where v.id = ${id} and v.is_live and ${isVisible(viewer)}`.execute(db)
  return rows.length === 1
}

/** Whether a stream runs, while a video is live until its recording is complete. For queries with a table `video` of videos. */
export const streamRuns = (video: 'v' | 'videos'): RawBuilder<boolean> => sql<boolean>`
  case when ${sql.ref(`${video}.is_live`)} then exists (
    select from live_streams where live_streams.video_id = ${sql.ref(`${video}.id`)} and live_streams.ended_at is null
  ) else false end`

/** Makes an ordinary video of one that was live. The caller holds its lock, and the file has grown to its end. */
export async function updateFinishedLive(db: Db, id: string, file: VideoFile): Promise<void> {
  await db
    .updateTable('videos')
    .set({ ...file, isLive: false, hasStoryboard: false, chatUntil })
    .where('id', '=', id)
    .execute()
}

/** Makes a video of one that was live and whose recording cannot be read. */
export async function failLive(db: Db, id: string): Promise<void> {
  await db
    .updateTable('videos')
    .set({
      isLive: false,
      chatUntil,
      processingState: 'failed',
      processingReason: 'The recording of the live stream cannot be read.',
    })
    .where('id', '=', id)
    .where('isLive', '=', true)
    .execute()
}
