import type { Context } from '../../../context.ts'
import { FfmpegError } from '../../../media/process/ffmpeg.ts'
import { isConnectionLost } from '../../../platform/db/errors/connection-lost.ts'
import { isDiskFull } from '../../../platform/files/disk-full.ts'
import { isStorageFailure } from '../../../platform/storage/storage.ts'
import { failPreparation } from './end-preparation.ts'
import type { Playing } from './presentations.ts'
import type { PlayableVideo } from '../queries.ts'
import { findFailedFile, findVideo, withPresentation } from './with-video.ts'

/**
 * Records for the owner what could not be encoded after retries; the rest still plays. Returns the video if the rest can
 * be prepared, and `retry` if it has another file by now. Records nothing if the video is not the cause: preparation is
 * then resumed later.
 */
export async function recordFailure(
  context: Context,
  videoId: string,
  error: unknown,
): Promise<Playing | 'retry' | undefined> {
  if (isMachineFailure(error)) return 'retry'
  const video = await findVideo(context, videoId)
  if (!video || !(await isSourceAvailable(context, video))) return undefined
  const { sourceKey = video.sourceKey } = findFailedFile(error) ?? {}
  if (!(await failPreparation(context, { id: videoId, sourceKey }))) return 'retry'
  try {
    return withPresentation(video)
  } catch {
    // the failure itself: a video that cannot be planned has no rest
    return undefined
  }
}

/** Whether this machine failed instead of the video. A killed ffmpeg may have met the memory limit of a full machine. */
function isMachineFailure(error: unknown): boolean {
  const wasKilled = error instanceof FfmpegError && error.wasKilled
  return wasKilled || isStorageFailure(error) || isConnectionLost(error) || isDiskFull(error)
}

/** Whether the source can be read. A disk that is temporarily unavailable is no fault of the video. */
async function isSourceAvailable({ storage, log }: Context, { sourceKey }: PlayableVideo): Promise<boolean> {
  const found = await storage.head(sourceKey).catch((error: unknown) => {
    log.debug({ err: error, sourceKey }, 'source unavailable')
    return undefined
  })
  return found !== undefined
}
