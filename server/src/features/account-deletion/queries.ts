import type { Db } from '../../database.ts'

/** Locks an account and its videos until the transaction ends. Returns the keys of their files. */
export async function lockAccount(db: Db, id: string) {
  const account = await db
    .selectFrom('users')
    .select(['avatar', 'coverImage'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const videos = await db
    .selectFrom('videos')
    .select(['id', 'thumbnail', 'visibility', 'takedownReason'])
    .where('ownerId', '=', id)
    .execute()
  return { ...account, videos }
}
