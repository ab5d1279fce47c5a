import { videoErrors } from '@kinora/contract/videos/errors.ts'
import type { Context } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import { notifyProcessingEnded } from '../../../messages/notifications/queries/videos.ts'
import {
  lockPrepared,
  updateFailedTracks,
  updateProcessing,
  updateProgress,
} from '../../videos/queries/processing.ts'
import { insertProcessingEvent } from '../../../messages/webhooks/queries.ts'
import { countPreparedRuns, deletePreparedRuns, insertPreparedRun, type PlayableVideo } from '../queries.ts'
import { damageReason } from '../rules.ts'
import { measureBitrates } from './measure-bitrates.ts'
import { findPlannedVideo } from './with-video.ts'

type FileOfVideo = Pick<PlayableVideo, 'id' | 'sourceKey'>

/** Records one of `total` runs. Returns whether all are prepared, which concurrent workers may learn of the same video. */
export async function recordPreparedRun(
  { db }: Pick<Context, 'db'>,
  file: FileOfVideo,
  run: number,
  total: number,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const state = await lockPrepared(transaction, file)
    // a run that another worker has repeated
    if (state === undefined || state === 'ready') return false
    await insertPreparedRun(transaction, file.id, run)
    const done = await countPreparedRuns(transaction, file.id)
    if (done < total) await updateProgress(transaction, file.id, done / total)
    return done >= total
  })
}

/** Ends the preparation of a file. Does nothing where another worker has done so, or the file was replaced. */
export async function finishPreparation(context: Context, { id, sourceKey }: FileOfVideo): Promise<void> {
  // read again: concurrent runs may have changed the source
  const playing = await findPlannedVideo(context, id)
  if (playing?.sourceKey !== sourceKey) return
  await measureBitrates(context, playing)
  await context.db.transaction().execute(async (transaction) => {
    if ((await lockPrepared(transaction, playing)) !== 'processing') return
    await deletePreparedRuns(transaction, id)
    await recordEnd(transaction, id, 'ready', damageReason(playing.source, playing.presentation.timeline))
  })
}

/** Reasons of a failure, by what still plays. */
const reasons = {
  original: videoErrors.partsNotPrepared.message,
  rest: videoErrors.someNotPrepared.message,
  nothing: videoErrors.notConverted.message,
}

/**
 * Records that a file could not be prepared, and the tracks that playlists leave out from now on. Returns whether the video still has
 * this file.
 */
export async function failPreparation(
  { db }: Pick<Context, 'db'>,
  file: FileOfVideo,
  { failedTracks, plays }: { failedTracks: readonly string[]; plays: keyof typeof reasons },
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const state = await lockPrepared(transaction, file)
    if (state !== undefined && failedTracks.length > 0)
      await updateFailedTracks(transaction, file.id, failedTracks)
    if (state === undefined || state === 'failed') return state !== undefined
    await recordEnd(transaction, file.id, 'failed', reasons[plays])
    return true
  })
}

async function recordEnd(
  db: Db,
  videoId: string,
  state: 'ready' | 'failed',
  reason: string | null,
): Promise<void> {
  await updateProcessing(db, videoId, { state, progress: 1, reason })
  await notifyProcessingEnded(db, videoId)
  await insertProcessingEvent(db, videoId)
}
