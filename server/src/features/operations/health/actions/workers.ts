import type { WorkerProcess } from '@kinora/contract/operations/health.ts'
import type { Context } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import { dayMs } from '@kinora/platform/durations.ts'
import { newId } from '@kinora/platform/ids.ts'
import { cpuSecondsOfProcess } from '@kinora/platform/process-cpu.ts'
import { deleteLostWorkers, deleteWorker, listWorkers, putWorker } from '../queries.ts'
import type { Report } from './finding.ts'

const beatMs = 15_000
/** A worker that was not seen for longer has ended. */
const lostAfterMs = 60_000
/** Rows of killed workers are deleted after a day. */
const keptMs = dayMs

/** Records now and every 15 seconds that this worker runs, with its CPU time. Returns the function that ends it. */
export function startHeartbeat({
  db,
  clock,
  log,
}: Pick<Context, 'db' | 'clock' | 'log'>): () => Promise<void> {
  const id = newId()
  const startedAt = clock.now()
  const beat = async () => {
    try {
      await putWorker(db, { id, startedAt, seenAt: clock.now(), cpuSeconds: cpuSecondsOfProcess() })
    } catch (err) {
      log.debug({ err }, 'worker heartbeat not stored')
    }
  }
  let last = beat()
  deleteLostWorkers(db, new Date(startedAt.getTime() - keptMs)).catch((err: unknown) =>
    log.debug({ err }, 'rows of lost workers not deleted'),
  )
  const timer = setInterval(() => void (last = beat()), beatMs)
  return async () => {
    clearInterval(timer)
    await last
    await deleteWorker(db, id).catch((err: unknown) => log.debug({ err }, 'worker heartbeat not deleted'))
  }
}

/** The workers that run, and a finding about their number. */
export async function checkWorkers(db: Db, now: Date, report: Report): Promise<WorkerProcess[]> {
  const workers = await listWorkers(db, new Date(now.getTime() - lostAfterMs))
  if (workers.length === 0)
    report(
      'workers.missing',
      'bad',
      'No worker was seen within a minute. Start one: without it, videos get no further qualities, and no mail is sent.',
    )
  else report('workers.run', 'good', workers.length === 1 ? '1 worker runs' : `${workers.length} workers run`)
  return workers
}
