import { changeRow, type RowChange } from '@kinora/platform/db/change-row.ts'
import type { Db } from '../../../context/database.ts'
import * as likes from '../comments/queries/likes.ts'
import { lockVideo } from '../../videos/videos/queries/lock-videos.ts'
import { addToLikesCount } from '../../videos/videos/queries/videos.ts'
import { deleteCommentLike, deleteVideoLike, insertCommentLike, insertVideoLike } from './queries.ts'

export interface LikeState {
  liked: boolean
  totalLikes: number
}

/**
 * Likes a video or removes the like. Locks the video in a separate statement: the next one then sees what the previous
 * holder committed, so rows and count agree under concurrency. Throws `not_found`.
 */
export async function changeVideoLike(
  db: Db,
  videoId: string,
  userId: string,
  change: RowChange,
): Promise<LikeState> {
  return db.transaction().execute(async (transaction) => {
    await lockVideo(transaction, videoId, userId)
    const { exists, difference } = await changeRow(change, {
      insert: () => insertVideoLike(transaction, videoId, userId),
      remove: () => deleteVideoLike(transaction, videoId, userId),
    })
    return { liked: exists, totalLikes: await addToLikesCount(transaction, videoId, difference) }
  })
}

/** Likes a comment or removes the like. Throws `not_found`. */
export async function changeCommentLike(
  db: Db,
  commentId: string,
  userId: string,
  change: RowChange,
): Promise<LikeState> {
  return db.transaction().execute(async (transaction) => {
    await likes.lockComment(transaction, commentId, userId)
    const { exists, difference } = await changeRow(change, {
      insert: () => insertCommentLike(transaction, commentId, userId),
      remove: () => deleteCommentLike(transaction, commentId, userId),
    })
    return { liked: exists, totalLikes: await likes.addToLikesCount(transaction, commentId, difference) }
  })
}
