import type { Db } from '../../../database.ts'
import { updateProcessing } from '../../videos/queries/processing.ts'
import { deletePreparedRuns } from '../queries.ts'

/** Forgets how far a video is prepared, for whoever has it prepared again; what was made stays. */
export async function forgetPreparation(db: Db, videoId: string): Promise<void> {
  await deletePreparedRuns(db, videoId)
  await updateProcessing(db, videoId, { state: 'processing', progress: 0, reason: null })
}
