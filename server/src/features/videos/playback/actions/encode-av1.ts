import type { Context } from '../../../../context/context.ts'
import { isStorageFailure } from '@kinora/platform/storage/storage.ts'
import { findFolder, listProcessing, putAv1Ladder, putTrackUse } from '../queries.ts'
import { countVideoRuns } from '../rules.ts'
import { bytesOverBudget } from './cache-budget.ts'
import { encodeMissingAv1 } from './encode-missing.ts'
import { measureAv1Bitrates } from './measure-bitrates.ts'
import type { PlannedVideo } from './presentations.ts'
import { withVideo } from './with-video.ts'

/** The lowest CPU priority: viewers and the preparation of uploads go first. */
const AV1_NICENESS = 19

/**
 * Encodes the AV1 renditions of a video and records whether they can be offered. Returns whether another video may follow: not
 * at `until`, on the clock of `performance.now`, after a failure of the storage, while a video waits for its preparation, or
 * while the cache is full. Stored segments stay, so that another call continues.
 */
export async function encodeAv1Ladder(
  context: Context,
  videoId: string,
  { signal, until }: { signal: AbortSignal; until: number },
): Promise<boolean> {
  let isComplete = true
  try {
    await withVideo(context, videoId, async (playing) => {
      isComplete = await encodeRuns(context, playing, signal, until)
      if (isComplete) await offerAv1(context, playing)
    })
    return isComplete
  } catch (error) {
    if (signal.aborted) throw error
    context.log.warn({ err: error, videoId }, 'AV1 renditions failed')
    const folder = await findFolder(context.db, videoId)
    if (folder !== undefined) await putAv1Ladder(context.db, { id: videoId, folder }, false)
    // all videos fail without the storage, and each would wait for a day
    return !isStorageFailure(error)
  }
}

async function encodeRuns(
  context: Context,
  playing: PlannedVideo,
  signal: AbortSignal,
  until: number,
): Promise<boolean> {
  const { av1, timeline } = playing.presentation
  for (let run = 0; run < countVideoRuns(timeline); run++) {
    for (const rendition of av1) {
      if (performance.now() > until || (await mustWait(context))) return false
      // otherwise they would count from the upload, and be evicted before they are complete
      if (run === 0) await putTrackUse(context.db, playing.id, rendition.name, context.clock.now())
      await encodeMissingAv1({ context, playing, signal, niceness: AV1_NICENESS }, rendition, run)
    }
  }
  return true
}

/** Whether a video waits for its preparation, or the cache is full. */
async function mustWait(context: Context): Promise<boolean> {
  return (await listProcessing(context.db, 1)).length > 0 || (await bytesOverBudget(context)) > 0
}

async function offerAv1(context: Context, playing: PlannedVideo): Promise<void> {
  await measureAv1Bitrates(context, playing)
  await putAv1Ladder(context.db, playing, true)
  context.log.info({ videoId: playing.id }, 'AV1 renditions ready')
}
