import type { Db } from '../../../context/database.ts'

/** The time at which a video got its present cut, or lost the last one; undefined for one that never had any. */
export async function findCutTime(db: Db, videoId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('videoCuts')
    .select('publishedAt')
    .where('videoId', '=', videoId)
    .orderBy('publishedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.publishedAt
}
