import type { Db } from '../../database.ts'

/** Where the source of a video is kept; undefined when there is no such video. */
export async function findSourceKey(db: Db, videoId: string): Promise<string | undefined> {
  const row = await db.selectFrom('videos').select('sourceKey').where('id', '=', videoId).executeTakeFirst()
  return row?.sourceKey
}

/** Whether a video of this owner exists. */
export async function hasVideoOf(db: Db, videoId: string, ownerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('videos')
    .select('id')
    .where('id', '=', videoId)
    .where('ownerId', '=', ownerId)
    .executeTakeFirst()
  return row !== undefined
}
