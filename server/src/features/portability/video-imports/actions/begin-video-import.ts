import type { Insertable } from 'kysely'
import type { Context } from '../../../../context/context.ts'
import type { Database } from '../../../../context/database.ts'
import { runVideoImport } from '../jobs.ts'
import { insertImport, type VideoImportRow } from '../queries.ts'
import { keptImports } from '../rules.ts'

/** Inserts and enqueues an import; undefined if the account has `maxRunning` that have not ended. In a transaction. */
export async function beginVideoImport(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  row: Insertable<Database['videoImports']>,
  maxRunning: number,
): Promise<VideoImportRow | undefined> {
  const inserted = await insertImport(db, row, { maxRunning, kept: keptImports })
  if (inserted) await jobs.enqueue(db, runVideoImport, { id: inserted.id }, { group: inserted.ownerId })
  return inserted
}
