import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../../../context/database.ts'
import { deleteRows, largeTables } from '../queries.ts'

const rowsPerBatch = 2000

/**
 * Deletes the rows of a video of which there may be millions, in batches, and rests as long as each of them took. `inBatch` runs
 * each.
 */
export async function deleteManyRows(
  inBatch: (work: (db: Db) => Promise<number>) => Promise<number>,
  id: string,
  signal?: AbortSignal,
): Promise<void> {
  for (const table of largeTables) {
    for (let deleted = rowsPerBatch; deleted === rowsPerBatch;) {
      const startedAt = performance.now()
      deleted = await inBatch((db) => deleteRows(db, table, id, rowsPerBatch))
      await delay(performance.now() - startedAt, undefined, { signal })
    }
  }
}
