import type { LargeVideo, StorageUse } from '@kinora/contract/operations/storage.ts'
import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { findLargeTables, weightedRows } from '@kinora/platform/db/large-tables.ts'
import { sourceBytes } from '../administration/queries.ts'

/**
 * Sizes that the database knows. No file is read, and no text is uncompressed. Those of tables with at least `largeFrom` rows
 * are estimates.
 */
export async function measureDatabase(
  db: Db,
  largeFrom?: number,
): Promise<Pick<StorageUse, 'sourceBytes' | 'captionsBytes' | 'databaseBytes' | 'isEstimated'>> {
  const large = await findLargeTables(db, ['videos', 'captions'], largeFrom)
  const captions = weightedRows('captions', large.get('captions'), sql`false`)
  const { rows } = await sql<{ sourceBytes: number; captionsBytes: number; databaseBytes: number }>`
    select ${sourceBytes(large.get('videos'))} as source_bytes,
      (select coalesce(sum(weight * octet_length(content)), 0)::bigint from ${captions} c) as captions_bytes,
      pg_database_size(current_database()) as database_bytes`.execute(db)
  const [sizes] = rows
  if (!sizes) throw new Error('A select without from returns one row')
  return large.size > 0 ? { ...sizes, isEstimated: true } : sizes
}

/** The videos with the largest uploaded files. */
export async function listLargest(db: Db, limit: number): Promise<LargeVideo[]> {
  const rows = await db
    .selectFrom('videos')
    .innerJoin('users', 'users.id', 'videos.ownerId')
    .select(['videos.id', 'videos.title', 'users.username as owner', 'videos.sizeBytes as bytes'])
    .orderBy('videos.sizeBytes', 'desc')
    .orderBy('videos.id')
    .limit(limit)
    .execute()
  return rows.map(({ id: _id, ...row }) => ({ _id, ...row }))
}

export interface Measurement {
  pictureBytes: number
  segmentBytes: number
  freedBytes: number
  measuredAt: Date
}

export async function findMeasurement(db: Db): Promise<Measurement | undefined> {
  return db
    .selectFrom('storageMeasurement')
    .select(['pictureBytes', 'segmentBytes', 'freedBytes', 'measuredAt'])
    .executeTakeFirst()
}

export async function putMeasurement(db: Db, measurement: Measurement): Promise<void> {
  await db
    .insertInto('storageMeasurement')
    .values(measurement)
    .onConflict((conflict) => conflict.column('onlyRow').doUpdateSet(measurement))
    .execute()
}
