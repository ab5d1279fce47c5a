import type { Db } from '../../../context/database.ts'
import type { CutDeletion } from './rules.ts'

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

/** The deletion of what was cut of a video; undefined without one. */
export function findCutDeletion(db: Db, videoId: string): Promise<CutDeletion | undefined> {
  return db
    .selectFrom('cutDeletions')
    .select(['publishedAt', 'progress', 'hasFailed'])
    .where('videoId', '=', videoId)
    .executeTakeFirst()
}

/** Records that what a cut removed is to be deleted, from the beginning. The caller holds the lock of the video. */
export async function putCutDeletion(db: Db, videoId: string, publishedAt: Date): Promise<void> {
  const values = { publishedAt, progress: 0, hasFailed: false }
  await db
    .insertInto('cutDeletions')
    .values({ videoId, ...values })
    .onConflict((conflict) => conflict.column('videoId').doUpdateSet(values))
    .execute()
}

/** Changes a deletion that has not ended. Returns whether there is one of this cut. */
export async function updateCutDeletion(
  db: Db,
  videoId: string,
  publishedAt: Date,
  changes: Partial<Pick<CutDeletion, 'progress' | 'hasFailed'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('cutDeletions')
    .set(changes)
    .where('videoId', '=', videoId)
    .where('publishedAt', '=', publishedAt)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteCutDeletion(db: Db, videoId: string): Promise<void> {
  await db.deleteFrom('cutDeletions').where('videoId', '=', videoId).execute()
}
