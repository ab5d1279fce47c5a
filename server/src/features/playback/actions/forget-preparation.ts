import type { Db } from '../../../database.ts'
import { updateProcessing } from '../../videos/queries/processing.ts'
import { deletePreparedRuns } from '../queries.ts'

/** Resets the progress of preparation, so that a video can be prepared again. Stored segments stay. */
export async function forgetPreparation(db: Db, videoId: string): Promise<void> {
  await deletePreparedRuns(db, videoId)
  await updateProcessing(db, videoId, { state: 'processing', progress: 0, reason: null })
}
