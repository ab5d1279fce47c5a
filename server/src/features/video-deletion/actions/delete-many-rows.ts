import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../../database.ts'
import { deleteOfVideo as deleteComments } from '../../comments/queries/deletions.ts'
import { deleteOfVideo as deleteHistory } from '../../history/queries.ts'
import { deleteOfVideo as deleteLikes } from '../../likes/queries.ts'

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
  for (const deleteSome of [deleteComments, deleteHistory, deleteLikes]) {
    for (let deleted = rowsPerBatch; deleted === rowsPerBatch;) {
      const startedAt = performance.now()
      deleted = await inBatch((db) => deleteSome(db, id, rowsPerBatch))
      await delay(performance.now() - startedAt, undefined, { signal })
    }
  }
}
