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

/** The deletion of what was cut of a video, until its file was replaced; undefined without one. */
export function findCutDeletion(db: Db, videoId: string): Promise<CutDeletion | undefined> {
  return db
    .selectFrom('cutDeletions')
    .select(['publishedAt', 'progress', 'hasFailed'])
    .where('videoId', '=', videoId)
    .where('oldFolder', 'is', null)
    .executeTakeFirst()
}

/**
 * Records that what a cut removed is to be deleted, from the beginning. The caller holds the lock of the video. Returns false
 * where the file that it had before is still being deleted.
 */
export async function putCutDeletion(db: Db, videoId: string, publishedAt: Date): Promise<boolean> {
  const values = { publishedAt, progress: 0, hasFailed: false }
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('cutDeletions')
    .values({ videoId, ...values })
    .onConflict((conflict) =>
      conflict.column('videoId').doUpdateSet(values).where('cutDeletions.oldFolder', 'is', null),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
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

/** Ends a deletion, unless the file was replaced by then. */
export async function deleteCutDeletion(db: Db, videoId: string): Promise<void> {
  await db.deleteFrom('cutDeletions').where('videoId', '=', videoId).where('oldFolder', 'is', null).execute()
}

/** A replaced file of a video, with what was removed. */
interface OldFile {
  sourceKey: string
  folder: string
}

/** Notes the file that was replaced, to be deleted. */
export async function updateOldFile(db: Db, videoId: string, { sourceKey, folder }: OldFile): Promise<void> {
  await db
    .updateTable('cutDeletions')
    .set({ oldSourceKey: sourceKey, oldFolder: folder, hasFailed: false })
    .where('videoId', '=', videoId)
    .execute()
}

/** The replaced file of a video that has not been deleted yet. */
export async function findOldFile(db: Db, videoId: string): Promise<OldFile | undefined> {
  const row = await db
    .selectFrom('cutDeletions')
    .select(['oldSourceKey', 'oldFolder'])
    .where('videoId', '=', videoId)
    .executeTakeFirst()
  if (!row || row.oldSourceKey === null || row.oldFolder === null) return undefined
  return { sourceKey: row.oldSourceKey, folder: row.oldFolder }
}

/** Notes that nothing is left of a replaced file. */
export async function deleteOldFile(db: Db, videoId: string, { folder }: OldFile): Promise<void> {
  await db.deleteFrom('cutDeletions').where('videoId', '=', videoId).where('oldFolder', '=', folder).execute()
}

/** Videos with deletions that have not ended, and have not failed. */
export async function listCutDeletions(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('cutDeletions')
    .select('videoId')
    .where((row) => row.or([row('hasFailed', '=', false), row('oldFolder', 'is not', null)]))
    .execute()
  return rows.map(({ videoId }) => videoId)
}
