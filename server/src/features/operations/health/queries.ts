import type { WorkerProcess } from '@kinora/contract/operations/health.ts'
import type { Db } from '../../../context/database.ts'

/** The workers that were seen since a time, by their start. */
export async function listWorkers(db: Db, since: Date): Promise<WorkerProcess[]> {
  const workers = await db
    .selectFrom('workerProcesses')
    .select(['startedAt', 'seenAt', 'cpuSeconds'])
    .where('seenAt', '>=', since)
    .orderBy('startedAt')
    .orderBy('id')
    .execute()
  return workers.map((worker) => ({
    ...worker,
    startedAt: worker.startedAt.toISOString(),
    seenAt: worker.seenAt.toISOString(),
  }))
}

/** Records that a worker runs. */
export async function putWorker(
  db: Db,
  worker: { id: string; startedAt: Date; seenAt: Date; cpuSeconds: number },
): Promise<void> {
  await db
    .insertInto('workerProcesses')
    .values(worker)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(worker))
    .execute()
}

export async function deleteWorker(db: Db, id: string): Promise<void> {
  await db.deleteFrom('workerProcesses').where('id', '=', id).execute()
}

/** Deletes the rows of workers that were killed. */
export async function deleteLostWorkers(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('workerProcesses').where('seenAt', '<', before).execute()
}
