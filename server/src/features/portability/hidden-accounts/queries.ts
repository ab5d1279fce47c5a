import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import type { HideCause } from '../../conversation/comments/queries/deletions.ts'
import { hiddenReasons } from './rules.ts'

/** Up to so many videos are hidden, shown or deleted in one transaction. */
const manyVideos = 200

/** Whether an account has so many videos that changing them all takes long. */
export async function hasManyVideos(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from videos where owner_id = ${userId} offset ${sql.lit(manyVideos)} limit 1`.execute(db)
  return rows.length === 1
}

/** Hides everything of an account from viewers, until each video and comment is hidden; with null, has them shown again. */
export async function putHiddenAccount(db: Db, userId: string, cause: HideCause | null): Promise<void> {
  await db
    .insertInto('hiddenAccounts')
    .values({ userId, cause })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ cause }))
    .execute()
}

/** Locks an account whose content is being hidden or shown again; undefined once that is done. */
export async function lockHiddenAccount(
  db: Db,
  userId: string,
): Promise<{ cause: HideCause | null } | undefined> {
  const { rows } = await sql<{ cause: HideCause | null }>`
    select h.cause from users u join hidden_accounts h on h.user_id = u.id
    where u.id = ${userId} for no key update`.execute(db)
  return rows[0]
}

export async function deleteHiddenAccount(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('hiddenAccounts').where('userId', '=', userId).execute()
}

/** Locks some videos of an account that are still to be hidden, or with null to be shown. */
export async function lockUnmatched(
  db: Db,
  userId: string,
  cause: HideCause | null,
  limit: number,
): Promise<{ id: string; thumbnail: string }[]> {
  const isUnmatched =
    cause === null
      ? sql`takedown_reason = any(${Object.values(hiddenReasons)}::text[])`
      : sql`takedown_reason is null`
  const { rows } = await sql<{ id: string; thumbnail: string }>`
    select id, thumbnail from videos where owner_id = ${userId} and ${isUnmatched}
    order by id limit ${limit} for no key update`.execute(db)
  return rows
}
