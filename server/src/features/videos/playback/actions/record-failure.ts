import type { Context } from '../../../../context/context.ts'
import { isPlayable } from '@kinora/media/plan/hls.ts'
import { failPreparation } from './end-preparation.ts'
import type { PlannedVideo } from './presentations.ts'
import type { PlayableVideo } from '../queries.ts'
import { isMachineFailure, TracksFailed } from './track-failures.ts'
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
): Promise<PlannedVideo | 'retry' | undefined> {
  if (isMachineFailure(error)) return 'retry'
  const video = await findVideo(context, videoId)
  if (!video || !(await isSourceAvailable(context, video))) return undefined
  const { sourceKey = video.sourceKey } = findFailedFile(error) ?? {}
  // If nothing at all can be encoded, the installation may be the cause: segments are tried again when somebody watches.
  const areAll = error instanceof TracksFailed && error.areAll
  const failedTracks =
    error instanceof TracksFailed && !areAll ? [...(video.source.failedTracks ?? []), ...error.tracks] : []
  const rest = findPlan(
    failedTracks.length > 0 ? { ...video, source: { ...video.source, failedTracks } } : video,
  )
  const isUnplayable =
    rest !== undefined && (areAll ? rest.presentation.passthrough === null : !isPlayable(rest.presentation))
  const plays = isUnplayable ? 'nothing' : rest?.presentation.passthrough ? 'original' : 'rest'
  if (!(await failPreparation(context, { id: videoId, sourceKey }, { failedTracks, plays }))) return 'retry'
  return areAll || isUnplayable ? undefined : rest
}

/** The plan of a video; undefined if it cannot be planned, which is then the failure itself. */
function findPlan(video: PlayableVideo): PlannedVideo | undefined {
  try {
    return withPresentation(video)
  } catch {
    return undefined
  }
}

/** Whether the source can be read. A disk that is temporarily unavailable is no fault of the video. */
async function isSourceAvailable({ storage, log }: Context, { sourceKey }: PlayableVideo): Promise<boolean> {
  const found = await storage.head(sourceKey).catch((error: unknown) => {
    log.debug({ err: error, sourceKey }, 'source unavailable')
    return undefined
  })
  return found !== undefined
}
