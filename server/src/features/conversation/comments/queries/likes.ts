import type { RowDifference } from '@kinora/platform/db/change-row.ts'
import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { commentNotFound, isPublished, isShown } from './comments.ts'

/** Locks a published comment until the end of the transaction. Throws `not_found`. */
export async function lockComment(db: Db, id: string, viewerId: string): Promise<void> {
  const { rows } = await sql`
    select from comments c where c.id = ${id} and ${isPublished} and ${isShown(viewerId)} for no key update`.execute(
    db,
  )
  if (rows.length === 0) throw commentNotFound()
}

/** Subtracts a user's likes from the like counts. Must run in the transaction that deletes the user. */
export async function removeLikesBy(db: Db, userId: string): Promise<void> {
  // a separate statement sees what concurrent holders of the locks committed
  await sql`
    select from comments where id in (select comment_id from comment_likes where user_id = ${userId})
    order by id for no key update`.execute(db)
  await sql`
    update comments set likes_count = likes_count - 1
    where id in (select comment_id from comment_likes where user_id = ${userId})`.execute(db)
}

/** Changes the like count of a comment, in the transaction that changes its likes. Returns the new count. */
export async function addToLikesCount(db: Db, id: string, difference: RowDifference): Promise<number> {
  const row = await db
    .updateTable('comments')
    .set((expression) => ({ likesCount: expression('likesCount', '+', difference) }))
    .where('id', '=', id)
    .returning('likesCount')
    .executeTakeFirstOrThrow()
  return row.likesCount
}

/** Locks those of the comments that still exist until the end of the transaction, and returns them. */
export async function lockComments(db: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from comments where id = any(${ids}::text[]) order by id for no key update`.execute(db)
  return rows.map(({ id }) => id)
}

/** Adds one to the like counts of comments. The caller holds their locks. */
export async function addLikes(db: Db, ids: readonly string[]): Promise<void> {
  await sql`update comments set likes_count = likes_count + 1 where id = any(${ids}::text[])`.execute(db)
}
