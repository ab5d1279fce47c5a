import type { WithinTransaction, Db } from '../../../../context/database.ts'
import {
  assertOwner,
  type DeleteContext,
  deleteLockedVideo,
  discardHiddenThumbnail,
} from '../../videos/actions/change-video.ts'
import { takeDownLockedVideo } from '../../videos/actions/hide-video.ts'
import { lockAnyVideo, type LockedVideo, lockVideo } from '../../videos/queries/lock-videos.ts'
import { removeVideo } from '../jobs.ts'
import { hasManyRows } from '../queries.ts'

/** The reason for which a video is taken down until it is deleted. */
const deletionReason = 'The video is being deleted'

/**
 * Deletes an own video: the rows immediately, the files by a job that is enqueued in the same transaction. One with very many
 * comments, likes or viewers is taken down, and a job deletes it.
 */
export async function deleteOwnVideo(
  context: DeleteContext,
  id: string,
  userId: string,
  alsoCheck: (transaction: Db) => Promise<void> = async () => undefined,
): Promise<void> {
  await deleteAfter(context, id, async (db, video) => {
    // other users must not learn of a video that they cannot see
    if (video.ownerId !== userId) assertOwner(await lockVideo(db, id, userId), userId)
    await alsoCheck(db)
  })
}

/** Deletes a video of any user in the same way, for operators. Throws `not_found`. */
export async function deleteAnyVideo(
  context: DeleteContext,
  id: string,
  withinTransaction?: WithinTransaction,
): Promise<void> {
  await deleteAfter(context, id, async (db) => withinTransaction?.(db))
}

async function deleteAfter(
  context: DeleteContext,
  id: string,
  check: (db: Db, video: LockedVideo) => Promise<void>,
): Promise<void> {
  const deleted = await context.db.transaction().execute(async (db) => {
    const video = await lockAnyVideo(db, id)
    await check(db, video)
    if (await hasManyRows(db, id)) {
      await takeDownLockedVideo({ ...context, db }, { id, thumbnail: video.thumbnail }, deletionReason)
      await context.jobs.enqueue(db, removeVideo, { id }, { key: id })
      return undefined
    }
    await deleteLockedVideo({ ...context, db }, id, video)
    return video
  })
  if (deleted) await discardHiddenThumbnail(context, deleted)
}
