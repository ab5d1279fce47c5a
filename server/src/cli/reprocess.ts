import type { Context } from '../context.ts'
import { forgetPreparation } from '../features/playback/actions/forget-preparation.ts'
import { prepareVideo } from '../features/playback/actions/prepare-video.ts'
import { getPlayable } from '../features/playback/queries.ts'
import { storagePrefixes } from '../storage-keys.ts'

/** Deletes the cached files of a video, which remains playable, and enqueues its preparation. Throws `not_found`. */
export async function reprocess({ db, jobs, storage }: Context, videoId: string): Promise<void> {
  await getPlayable(db, videoId)
  await storage.delete(`${storagePrefixes.segments}${videoId}/`)
  await db.transaction().execute(async (transaction) => {
    await forgetPreparation(transaction, videoId)
    await prepareVideo({ db: transaction, jobs }, videoId)
  })
}
