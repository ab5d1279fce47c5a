import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { isVisible } from '../../../visibility/queries.ts'

/** How long a deletion can be undone; by moderators longer, because the author may answer to it. */
const undoTime = sql`interval '1 hour'`
const moderationUndoTime = sql`interval '30 days'`

/** Stands for moderators where a comment names who deleted it. */
export const moderation = 'moderation'

/** Why all comments of an account are hidden, where a comment names who deleted it. They can be shown again. */
const hideCauses = ['leaving', 'suspension'] as const

export type HideCause = (typeof hideCauses)[number]

/** Hides the comments of an account that is being deleted or suspended. */
export async function hideCommentsBy(db: Db, authorId: string, cause: HideCause): Promise<void> {
  await sql`
    update comments set deleted_at = now(), deleted_by = ${cause}
    where author_id = ${authorId} and deleted_at is null`.execute(db)
}

/** Shows the comments again that `hideCommentsBy` has hidden. */
export async function showCommentsBy(db: Db, authorId: string, cause: HideCause): Promise<void> {
  await sql`
    update comments set deleted_at = null, deleted_by = null
    where author_id = ${authorId} and deleted_by = ${cause}`.execute(db)
}

/** Whether a comment `c` can be deleted: also one that is hidden with its author, which would be shown again later. */
export const isDeletable = sql<boolean>`(c.deleted_at is null or c.deleted_by = any(${hideCauses}::text[]))`

/** Hides some comments of an account. Returns how many. */
export async function hideSomeOf(db: Db, authorId: string, cause: HideCause, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update comments set deleted_at = now(), deleted_by = ${cause} where id in (
      select id from comments where author_id = ${authorId} and deleted_at is null limit ${limit}
    )`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/** Shows some comments of an account again that were hidden. Returns how many. */
export async function showSomeOf(db: Db, authorId: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update comments set deleted_at = null, deleted_by = null where id in (
      select id from comments where author_id = ${authorId} and deleted_by = any(${hideCauses}::text[]) limit ${limit}
    )`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/** Marks comments as deleted, and unpins them. Returns those that existed. */
export async function hideComments(
  db: Db,
  ids: readonly string[],
  deletedBy: string,
): Promise<{ id: string; content: string }[]> {
  const { rows } = await sql<{ id: string; content: string }>`
    update comments c set deleted_at = now(), deleted_by = ${deletedBy}, is_pinned = false
    where c.id = any(${ids}) and ${isDeletable} returning c.id, c.content`.execute(db)
  return rows
}

/** Whether the deletion of a comment `c` can be taken back by moderators. */
export const isRestorable = sql<boolean>`c.deleted_by = ${moderation} and c.deleted_at > now() - ${moderationUndoTime}`

/** Undoes deletions by moderators that can still be undone. Returns the ids of those. */
export async function restoreComments(
  db: Db,
  ids: readonly string[],
  exceptAuthorId: string | null,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update comments c set deleted_at = null, deleted_by = null
    where c.id = any(${ids}) and ${isRestorable} and c.author_id is distinct from ${exceptAuthorId}
    returning c.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Undoes a deletion by some accounts, of which the first may see the video. Returns whether there was one. */
export async function restoreComment(
  db: Db,
  {
    videoId,
    commentId,
    deletedBy,
  }: { videoId: string; commentId: string; deletedBy: readonly [string, string] },
): Promise<boolean> {
  const { rows } = await sql`
    update comments c set deleted_at = null, deleted_by = null from videos v
    where c.id = ${commentId} and c.video_id = ${videoId} and c.deleted_by = any(${deletedBy}::text[])
      and c.deleted_at > now() - ${undoTime}
      and v.id = c.video_id and ${isVisible(deletedBy[0])} returning 1`.execute(db)
  return rows.length > 0
}

/** Deletes comments whose deletion cannot be undone any more. */
export async function deleteRemoved(db: Db): Promise<void> {
  await sql`
    delete from comments where deleted_at < now() - ${undoTime} and coalesce(deleted_by <> all(${hideCauses}::text[]), true)
      and (deleted_by is distinct from ${moderation} or deleted_at < now() - ${moderationUndoTime})`.execute(
    db,
  )
}

/** Deletes some comments of an account, with their replies. Returns how many, replies not counted. */
export async function deleteCommentsBy(db: Db, authorId: string, limit: number): Promise<number> {
  return deleteSome(db, sql`author_id = ${authorId}`, limit)
}

async function deleteSome(db: Db, condition: RawBuilder<unknown>, limit: number): Promise<number> {
  // the rows are chosen before any is deleted: replies go with their comment
  const { rows } = await sql<{ count: number }>`
    with chosen as materialized (select id from comments where ${condition} limit ${limit}),
    deleted as (delete from comments using chosen where comments.id = chosen.id)
    select count(*)::int as count from chosen`.execute(db)
  return rows[0]?.count ?? 0
}
