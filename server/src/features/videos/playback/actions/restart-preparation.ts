import type { Context } from '../../../../context/context.ts'
import { countPreparation, updateFailedTracks } from '../../videos/queries/processing.ts'
import { prepareVideo } from './prepare-video.ts'
import { resetPreparation } from './reset-preparation.ts'

/** Prepares a video from the beginning, and announces the end again. Runs in the transaction of what it is for. */
export async function restartPreparation(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  videoId: string,
): Promise<void> {
  await countPreparation(db, videoId)
  await resetPreparation(db, videoId)
  await updateFailedTracks(db, videoId, [])
  await prepareVideo({ db, jobs }, videoId)
}
