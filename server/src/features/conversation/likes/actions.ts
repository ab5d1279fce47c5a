import type { Db } from '../../../context/database.ts'
import * as likes from '../comments/queries/likes.ts'
import * as videos from '../../videos/videos/queries/videos.ts'
import { flipCommentLike, flipVideoLike } from './queries.ts'

export interface LikeState {
  liked: boolean
  totalLikes: number
}

/**
 * Likes a video or removes the like. Locks the video in a separate statement: the next one then sees what the previous
 * holder committed, so rows and count agree under concurrency. Throws `not_found`.
 */
export async function toggleVideoLike(db: Db, videoId: string, userId: string): Promise<LikeState> {
  return db.transaction().execute(async (transaction) => {
    await videos.lockVideo(transaction, videoId, userId)
    const liked = await flipVideoLike(transaction, videoId, userId)
    const totalLikes = await videos.addToLikesCount(transaction, videoId, liked ? 1 : -1)
    return { liked, totalLikes }
  })
}

/** Likes a comment or removes the like. Throws `not_found`. */
export async function toggleCommentLike(db: Db, commentId: string, userId: string): Promise<LikeState> {
  return db.transaction().execute(async (transaction) => {
    await likes.lockComment(transaction, commentId, userId)
    const liked = await flipCommentLike(transaction, commentId, userId)
    const totalLikes = await likes.addToLikesCount(transaction, commentId, liked ? 1 : -1)
    return { liked, totalLikes }
  })
}
