import type { Db } from '../../database.ts'

/** An account with what has files; nothing that belongs to it comes or goes until the transaction ends. */
export async function lockAccount(db: Db, id: string) {
  const account = await db
    .selectFrom('users')
    .select(['avatar', 'coverImage'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const videos = await db.selectFrom('videos').select(['id', 'thumbnail']).where('ownerId', '=', id).execute()
  return { ...account, videos }
}
