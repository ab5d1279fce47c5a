import type { Comment } from '@kinora/contract/comments.ts'
import type { Db } from '../../database.ts'
import { newId } from '../../platform/ids.ts'
import { insertOfComment } from '../notifications/queries.ts'
import { videoNotFound } from '../videos/queries/videos.ts'
import { insertComment } from './queries.ts'

/** Adds a comment and notifies whom it concerns. Throws `not_found` for a video that its author may not see. */
export async function postComment(
  db: Db,
  comment: { videoId: string; authorId: string; content: string },
): Promise<Comment> {
  return db.transaction().execute(async (transaction) => {
    const added = await insertComment(transaction, { ...comment, id: newId() })
    if (!added) throw videoNotFound()
    await insertOfComment(transaction, added._id)
    return added
  })
}
