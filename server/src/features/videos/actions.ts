import { type Video, VideoProcessing } from '@kinora/contract/videos.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../database.ts'
import { AppError } from '../../platform/errors.ts'
import { deleteVideoFiles, foldPendingViews } from './jobs.ts'
import * as queries from './queries.ts'

/** Locks a video for its owner. Throws `not_found`, or `forbidden` for anybody else. */
async function lockOwnVideo(db: Db, id: string, userId: string): Promise<{ thumbnail: string }> {
  const video = await queries.lockVideo(db, id)
  if (video.ownerId !== userId) throw new AppError('forbidden', 'This video is not yours')
  return video
}

/** Changes title and description of an own video; what is undefined stays. */
export async function updateOwnVideo(
  { db }: Pick<Context, 'db'>,
  id: string,
  userId: string,
  changes: { title?: string | undefined; description?: string | undefined },
): Promise<Video> {
  return db.transaction().execute(async (transaction) => {
    await lockOwnVideo(transaction, id, userId)
    await queries.updateVideo(transaction, id, changes)
    return queries.getVideo(transaction, id)
  })
}

/** A segment that was being made when its video went is written after the first deletion, and found by the second. */
const secondDeletionSeconds = 600

/** Deletes an own video: the rows at once, the files by a job that exists as soon as the rows are gone. */
export async function deleteOwnVideo(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  id: string,
  userId: string,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { thumbnail } = await lockOwnVideo(transaction, id, userId)
    await queries.deleteVideo(transaction, id)
    for (const delaySeconds of [0, secondDeletionSeconds]) {
      await jobs.enqueue(transaction, deleteVideoFiles, { id, thumbnail }, { delaySeconds })
    }
  })
}

const viewsPerFold = 100

/**
 * Counts a view. Pending views are folded in every minute, and at once after every hundredth: where many watch, no
 * answer has many to add up. Throws `not_found`.
 */
export async function addView(
  { db, jobs, clock }: Pick<Context, 'db' | 'jobs' | 'clock'>,
  videoId: string,
): Promise<void> {
  const number = await queries.insertView(db, videoId, clock.now())
  if (number % viewsPerFold === 0) await jobs.enqueue(db, foldPendingViews, {}, { key: 'now' })
}

/** Calls `listener` with every change in the preparation of an owner's videos, until this is disposed. */
export async function onProcessing(
  { signals }: Pick<Context, 'signals'>,
  ownerId: string,
  listener: (change: VideoProcessing) => void,
): Promise<Disposable> {
  const unlisten = await signals.listen(queries.processingTopic(ownerId), (message) =>
    listener(VideoProcessing.parse(JSON.parse(message))),
  )
  return { [Symbol.dispose]: unlisten }
}
