import type { Db } from '../../../../context/database.ts'
import { updateProcessing } from '../../videos/queries/processing.ts'
import { deleteAv1Ladder, deletePreparedRuns, deleteTrackBitrates } from '../queries.ts'

/** Resets the progress of preparation and what was measured, so that a video can be prepared again. Stored segments stay. */
export async function resetPreparation(db: Db, videoId: string): Promise<void> {
  await deletePreparedRuns(db, videoId)
  await deleteTrackBitrates(db, videoId)
  await deleteAv1Ladder(db, videoId)
  await updateProcessing(db, videoId, { state: 'processing', progress: 0, reason: null })
}
