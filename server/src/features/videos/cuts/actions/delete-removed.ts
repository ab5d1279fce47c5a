import { lstat } from 'node:fs/promises'
import type { VideoCut } from '@kinora/contract/videos/cuts.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { AppError } from '@kinora/platform/errors.ts'
import type { Context } from '../../../../context/context.ts'
import { assertStillWorksOn } from '../../collaborators/actions.ts'
import { getPlannedVideo } from '../../playback/actions/with-video.ts'
import { lockOwnVideo } from '../../videos/actions/change-video.ts'
import { deleteRemoved } from '../jobs.ts'
import { deleteCutDeletion, findCutTime, putCutDeletion } from '../queries.ts'
import { isCopyable } from '../rules.ts'
import { readCut } from './publish-cut.ts'

interface OwnVideo {
  videoId: string
  userId: string
  actorId: string
}

/**
 * Has a job delete what was cut of an own video. Throws like `getOwnCut`, and `conflict` if another cut is in force by now, if
 * picture or sound would have to be encoded again, or if the file is one of a folder that was imported.
 */
export function beginDeletion(
  { db, storage, jobs }: Pick<Context, 'db' | 'storage' | 'jobs'>,
  { videoId, userId, actorId }: OwnVideo,
  publishedAt: Date,
): Promise<VideoCut> {
  return db.transaction().execute(async (transaction) => {
    await lockOwnVideo(transaction, videoId, userId)
    await assertStillWorksOn(transaction, actorId, userId)
    const video = await getPlannedVideo(transaction, videoId)
    const { cut, sourceKey } = video
    if (!cut) throw new AppError(videoErrors.cutMissing)
    const cutAt = await findCutTime(transaction, videoId)
    if (cutAt?.getTime() !== publishedAt.getTime()) throw new AppError(videoErrors.cutChanged)
    if (!isCopyable(video)) throw new AppError(videoErrors.cutNotCopied)
    if (await isReference(storage, sourceKey)) throw new AppError(videoErrors.fileElsewhere)
    if (!(await putCutDeletion(transaction, videoId, publishedAt))) throw new AppError(videoErrors.cutChanged)
    await jobs.enqueue(transaction, deleteRemoved, { videoId }, { key: videoId })
    return readCut(transaction, videoId)
  })
}

/** Stops a deletion that has not ended. Throws like `getOwnCut`. */
export function stopDeletion(
  { db }: Pick<Context, 'db'>,
  { videoId, userId, actorId }: OwnVideo,
): Promise<VideoCut> {
  return db.transaction().execute(async (transaction) => {
    await lockOwnVideo(transaction, videoId, userId)
    await assertStillWorksOn(transaction, actorId, userId)
    await deleteCutDeletion(transaction, videoId)
    return readCut(transaction, videoId)
  })
}

/** Whether a source is a link to a file of a folder, of which only that one exists. */
async function isReference(storage: Context['storage'], sourceKey: string): Promise<boolean> {
  const file = storage.pathOf(sourceKey)
  const stats = file === undefined ? undefined : await lstat(file).catch(() => undefined)
  return stats?.isSymbolicLink() ?? false
}
