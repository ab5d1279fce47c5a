import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'

/** The export of an account; undefined while there is none, or when it has expired. */
export async function findExportOf(db: Db, userId: string, now: Date) {
  return db
    .selectFrom('accountExports')
    .selectAll()
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
}

/** Begins an export in place of the former one. Returns undefined while one is running. */
export async function replaceExport(
  db: Db,
  row: { userId: string; id: string; createdAt: Date; expiresAt: Date },
) {
  return db
    .insertInto('accountExports')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet({ ...row, state: 'running', progress: 0, sizeBytes: null })
        .where((eb) =>
          eb.or([
            eb('accountExports.state', '<>', 'running'),
            eb('accountExports.expiresAt', '<=', row.createdAt),
          ]),
        ),
    )
    .returningAll()
    .executeTakeFirst()
}

/** Returns whether there was one. */
export async function deleteExportOf(db: Db, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('accountExports')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Runs a failed export again, as a retry of its job does. Returns the account; undefined if the export was deleted or is ready. */
export async function resumeExport(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .updateTable('accountExports')
    .set({ state: 'running' })
    .where('id', '=', id)
    .where('state', 'in', ['running', 'failed'])
    .returning('userId')
    .executeTakeFirst()
  return row?.userId
}

/** The account of a running export; undefined if it was deleted. */
export async function findRunningExport(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('accountExports')
    .select('userId')
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return row?.userId
}

/** Changes a running export. Returns whether there still is one. */
export async function updateRunningExport(
  db: Db,
  id: string,
  changes: { progress?: number; state?: 'ready' | 'failed'; sizeBytes?: number; expiresAt?: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('accountExports')
    .set(changes)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function deleteExpiredExports(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('accountExports').where('expiresAt', '<=', now).execute()
}

/** Those of the ids that no export has. */
export async function listUnknownExports(db: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${ids}::text[]) id where not exists (select from account_exports e where e.id = id.id)`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
