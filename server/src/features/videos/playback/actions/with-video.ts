import type { Context } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import { planPresentation } from '@kinora/media/plan/hls.ts'
import { AppError } from '@kinora/platform/errors.ts'
import type { PlannedVideo } from './presentations.ts'
import { findFolder, getPlayable, type PlayableVideo } from '../queries.ts'
import { segmentsOf } from '../rules.ts'
import { storagePrefixes } from '../../../../context/storage-keys.ts'

/**
 * Runs a task for a video, unless it was deleted. Errors caused by a deletion or a replaced file in between are ignored,
 * and segments stored since then are deleted, because the deletion did not see them. The task then runs for the new file:
 * its own job was not enqueued while this one ran. Returns whether the video still exists.
 */
export async function withVideo(
  context: Context,
  videoId: string,
  work: (playing: PlannedVideo) => Promise<void>,
): Promise<boolean> {
  const playing = await findPlannedVideo(context, videoId)
  if (!playing) return false
  const [outcome] = await Promise.allSettled([work(playing)])
  const folder = await findFolder(context.db, videoId)
  if (folder === undefined) {
    await context.storage.delete(`${storagePrefixes.segments}${videoId}/`)
    return false
  }
  if (folder !== playing.folder) {
    await context.storage.delete(segmentsOf(videoId, playing.folder))
    return withVideo(context, videoId, work)
  }
  if (outcome.status === 'rejected') {
    if (outcome.reason instanceof Error) failedFiles.set(outcome.reason, playing)
    throw outcome.reason
  }
  return true
}

/** The file that each error is about. Jobs only keep the error until they record the failure. */
const failedFiles = new WeakMap<Error, Pick<PlayableVideo, 'id' | 'sourceKey'>>()

/** The file of the task of `withVideo` that threw an error; another one may have replaced it since. */
export const findFailedFile = (error: unknown) =>
  error instanceof Error ? failedFiles.get(error) : undefined

/** The video of a job with its plan; undefined if it was deleted or taken down. */
export async function findPlannedVideo(context: Context, videoId: string): Promise<PlannedVideo | undefined> {
  const video = await findVideo(context, videoId)
  return video && withPresentation(video)
}

/** A video with its plan. Throws `not_found`. */
export const getPlannedVideo = async (db: Db, videoId: string): Promise<PlannedVideo> =>
  withPresentation(await getPlayable(db, videoId))

export const withPresentation = (video: PlayableVideo): PlannedVideo => ({
  ...video,
  presentation: planPresentation(video.source),
})

export async function findVideo({ db }: Context, videoId: string): Promise<PlayableVideo | undefined> {
  try {
    return await getPlayable(db, videoId)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  }
}
