import type { Db } from '../../database.ts'

/** The id that the storage of this site must have; undefined before the first start. */
export async function findStorageId(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('site').select('storageId').executeTakeFirst()
  return row?.storageId
}

/** Sets the id, replacing an existing one. */
export async function putStorageId(db: Db, storageId: string): Promise<void> {
  await db
    .insertInto('site')
    .values({ storageId })
    .onConflict((conflict) => conflict.column('onlyRow').doUpdateSet({ storageId }))
    .execute()
}

/** Whether anybody has registered. */
export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}
