import type { Comment } from '@kinora/contract/comments.ts'
import type { Db } from '../../database.ts'
import { AppError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { insertOfComment } from '../notifications/queries.ts'
import { videoNotFound } from '../videos/queries/videos.ts'
import { hasVideo, insertComment } from './queries.ts'

/**
 * Adds a comment and notifies whom it concerns. Throws `not_found` for a video that its author may not see, `forbidden`
 * where comments are turned off.
 */
export async function postComment(
  db: Db,
  comment: { videoId: string; authorId: string; content: string },
): Promise<Comment> {
  return db.transaction().execute(async (transaction) => {
    const added = await insertComment(transaction, { ...comment, id: newId() })
    if (!added) {
      const isShown = await hasVideo(transaction, comment.videoId, comment.authorId)
      throw isShown ? new AppError('forbidden', 'Comments are turned off for this video') : videoNotFound()
    }
    await insertOfComment(transaction, added._id)
    return added
  })
}
