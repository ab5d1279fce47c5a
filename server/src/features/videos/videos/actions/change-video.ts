import { videoErrors } from '@kinora/contract/videos/errors.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import type { Context } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import { allowLongStatements } from '@kinora/platform/db/pool.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { deleteReferencesOfList } from '../../imported-references/queries.ts'
import { viewersFile } from '../../imported-references/rules.ts'
import { withdrawVideo } from '../../../messages/notifications/actions.ts'
import { discardPicture } from '../../../pictures/actions.ts'
import { publishVisibility } from '../../../visibility/queries.ts'
import { deleteWaitingEvents } from '../../../messages/webhooks/queries.ts'
import { deleteVideoFiles } from '../jobs.ts'
import { isLive } from '../queries/live.ts'
import { deleteVideo, getOwnerOf, getVideo, updateVideo } from '../queries/videos.ts'
import { type LockedVideo, lockVideo } from '../queries/lock-videos.ts'
import { isOpenToAll } from '../rules.ts'
import { hideFiles } from './hide-video.ts'

/** Throws `forbidden` for other users. */
export function assertOwner(video: { ownerId: string }, userId: string): void {
  if (video.ownerId !== userId) throw new AppError(videoErrors.videoNotYours)
}

/** Locks a video for its owner until the end of the transaction. Throws `not_found`, or `forbidden` for other users. */
export async function lockOwnVideo(db: Db, id: string, userId: string): Promise<void> {
  assertOwner(await lockVideo(db, id, userId), userId)
}

/** Throws `not_found`, or `forbidden` for other users. For reads: it locks nothing. */
export async function assertOwnVideo(db: Db, id: string, userId: string): Promise<void> {
  assertOwner(await getOwnerOf(db, id, userId), userId)
}

/** Throws `conflict` for a video that is live, whose file still grows. An ordinary video never becomes live. */
export async function assertNotLive(db: Db, id: string): Promise<void> {
  if (await isLive(db, id)) throw new AppError(videoErrors.videoLive)
}

/** Changes title and description of an own video; undefined fields stay. */
export async function updateOwnVideo(
  { db }: Pick<Context, 'db'>,
  id: string,
  userId: string,
  changes: { title?: string | undefined; description?: string | undefined },
): Promise<Video> {
  return db.transaction().execute(async (transaction) => {
    await lockOwnVideo(transaction, id, userId)
    await updateVideo(transaction, id, changes)
    return getVideo(transaction, id, userId)
  })
}

export type DeleteContext = Pick<Context, 'db' | 'jobs' | 'storage' | 'log'>

/**
 * Segments that were being encoded during the deletion are deleted by their worker, or if that was killed by the second
 * deletion.
 */
const secondDeletionSeconds = 600

/**
 * Deletes the thumbnail of a deleted video that was not for everybody, because no row hides it any more. Where the
 * storage fails, the job that deletes the other files does it.
 */
export async function discardHiddenThumbnail(
  { storage, log }: Pick<Context, 'storage' | 'log'>,
  { thumbnail, visibility, takedownReason }: Pick<LockedVideo, 'thumbnail' | 'visibility' | 'takedownReason'>,
): Promise<void> {
  if (isOpenToAll(visibility) && takedownReason === null) return
  await discardPicture({ storage }, thumbnail).catch((error: unknown) =>
    log.warn({ err: error, thumbnail }, 'thumbnail of a deleted video not deleted'),
  )
}

/** Deletes a video and enqueues the deletion of its files. The transaction holds the video's lock. */
export async function deleteLockedVideo(
  { db, jobs, storage, log }: DeleteContext,
  id: string,
  { ownerId, thumbnail }: Pick<LockedVideo, 'ownerId' | 'thumbnail'>,
): Promise<void> {
  // if nothing can be stored, the files are still deleted when the job runs
  await hideFiles({ storage }, id).catch((error: unknown) =>
    log.warn({ err: error, videoId: id }, 'files of a deleted video could not be hidden'),
  )
  await allowLongStatements(db)
  await deleteVideo(db, id)
  await deleteReferencesOfList(db, ownerId, { file: viewersFile, list: id })
  await publishVisibility(db, id)
  await withdrawVideo({ db, jobs }, id)
  await deleteWaitingEvents(db, id)
  for (const delaySeconds of [0, secondDeletionSeconds]) {
    const isLast = delaySeconds > 0
    await jobs.enqueue(db, deleteVideoFiles, { id, thumbnail, isLast }, { delaySeconds })
  }
}
