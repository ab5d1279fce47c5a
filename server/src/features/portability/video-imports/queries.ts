import { type Explanation } from '@kinora/contract/failure.ts'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Database, Db } from '../../../context/database.ts'
import { isNotLeaving } from '../../visibility/queries.ts'
import { failureColumns } from '@kinora/platform/db/failure-columns.ts'

export type VideoImportRow = Selectable<Database['videoImports']>

/** The last imports of an account, newest first. */
export async function listImportsOf(db: Db, ownerId: string, limit: number): Promise<VideoImportRow[]> {
  return db
    .selectFrom('videoImports')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Imports of an account that have not ended. */
export async function countOpenImports(db: Db, ownerId: string): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from video_imports
    where owner_id = ${ownerId} and state in ('waiting', 'running')`.execute(db)
  return rows[0]?.open ?? 0
}

/** Inserts an import; undefined if the account has `maxRunning` that have not ended. Deletes all but the last `kept` others. */
export async function insertImport(
  db: Db,
  row: Insertable<Database['videoImports']>,
  { maxRunning, kept }: { maxRunning: number; kept: number },
): Promise<VideoImportRow | undefined> {
  await sql`select from users where id = ${row.ownerId} for no key update`.execute(db)
  if ((await countOpenImports(db, row.ownerId)) >= maxRunning) return undefined
  await sql`
    delete from video_imports where id in (
      select id from video_imports where owner_id = ${row.ownerId} and state in ('done', 'failed')
      order by created_at desc, id desc offset ${kept}
    )`.execute(db)
  return db.insertInto('videoImports').values(row).returningAll().executeTakeFirstOrThrow()
}

/**
 * An import that has not ended, of an account that may publish; undefined if it was stopped. In a transaction, the deletion and
 * the suspension of the account wait until it ends.
 */
export async function findOpenImport(db: Db, id: string): Promise<VideoImportRow | undefined> {
  const { rows } = await sql<VideoImportRow>`
    select i.* from video_imports i join users u on u.id = i.owner_id
    where i.id = ${id} and i.state in ('waiting', 'running') and u.suspended_at is null
      and ${isNotLeaving()} ${db.isTransaction ? sql`for share of u` : sql``}`.execute(db)
  return rows[0]
}

/** Changes an import that has not ended. Returns whether there still is one. */
export async function updateOpenImport(
  db: Db,
  id: string,
  {
    failure,
    ...changes
  }: Partial<
    Pick<VideoImportRow, 'state' | 'receivedBytes' | 'sizeBytes' | 'isRetryable'> & { failure: Explanation }
  >,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('videoImports')
    .set({ ...changes, ...(failure && failureColumns(failure)) })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns whether the account had this import. */
export async function deleteImportOf(db: Db, ownerId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('videoImports')
    .where('id', '=', id)
    .where('ownerId', '=', ownerId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
