import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/** The user whose feed a token opens; undefined for tokens that were replaced, and for suspended accounts. */
export async function findFeedOwner(db: Db, token: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('feedAddresses')
    .innerJoin('users', 'users.id', 'feedAddresses.userId')
    .select('users.id')
    .where('feedAddresses.token', '=', token)
    .where('users.suspendedAt', 'is', null)
    .executeTakeFirst()
  return row?.id
}

/** The token of a user's feed; undefined while there is none. */
export async function findFeedToken(db: Db, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('feedAddresses')
    .select('token')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row?.token
}

/** Replaces the token of a user's feed. */
export async function putFeedToken(db: Db, userId: string, token: string): Promise<void> {
  await db
    .insertInto('feedAddresses')
    .values({ userId, token })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ token, createdAt: sql`now()` }))
    .execute()
}

export async function deleteFeedToken(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('feedAddresses').where('userId', '=', userId).execute()
}

/** The sizes of the files of videos, by id. */
export async function listFileSizes(db: Db, videoIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('videos')
    .select(['id', 'sizeBytes'])
    .where('id', '=', sql<string>`any(${videoIds}::text[])`)
    .execute()
  return new Map(rows.map(({ id, sizeBytes }) => [id, sizeBytes]))
}
