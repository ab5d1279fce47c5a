import type { Context } from '../../../../context/context.ts'
import type { WithinTransaction } from '../../../../context/database.ts'
import { storagePrefixes } from '../../../../context/storage-keys.ts'
import { getPlayable } from '../queries.ts'
import { restartPreparation } from './restart-preparation.ts'

/** Deletes the cached files of a video, which remains playable, and enqueues its preparation. Throws `not_found`. */
export async function reprocess(
  { db, jobs, storage }: Pick<Context, 'db' | 'jobs' | 'storage'>,
  videoId: string,
  withinTransaction?: WithinTransaction,
): Promise<void> {
  await getPlayable(db, videoId)
  await storage.delete(`${storagePrefixes.segments}${videoId}/`)
  await db.transaction().execute(async (transaction) => {
    await restartPreparation({ db: transaction, jobs }, videoId)
    await withinTransaction?.(transaction)
  })
}
