import type { Db } from '../../../../context/database.ts'
import type { VideoFile } from './videos.ts'

/** Makes an ordinary video of one that was live. The caller holds its lock, and the file has grown to its end. */
export async function updateFinishedLive(db: Db, id: string, file: VideoFile): Promise<void> {
  await db
    .updateTable('videos')
    .set({ ...file, isLive: false, hasStoryboard: false })
    .where('id', '=', id)
    .execute()
}

/** Makes a video of one that was live and whose recording cannot be read. */
export async function failLive(db: Db, id: string): Promise<void> {
  await db
    .updateTable('videos')
    .set({
      isLive: false,
      processingState: 'failed',
      processingReason: 'The recording of the live stream cannot be read.',
    })
    .where('id', '=', id)
    .where('isLive', '=', true)
    .execute()
}
