import { statfs } from 'node:fs/promises'
import type { StorageUse } from '@kinora/contract/operations/storage.ts'
import type { Context } from '../../../context/context.ts'
import type { Db } from '../../../context/database.ts'
import { reuseSlowResults } from '@kinora/platform/concurrency/reuse-slow-results.ts'
import { withLongStatements } from '@kinora/platform/db/pool.ts'
import { record } from '../administration/actions/audit-log.ts'
import type { Actor } from '../administration/rules.ts'
import { measureStorage } from './jobs.ts'
import { findMeasurement, listLargest, measureDatabase } from './queries.ts'

const largestShown = 20

/** On a loaded machine the sizes may be some minutes old. */
const readSizes = reuseSlowResults((db: Db) =>
  withLongStatements(db, async (transaction) => {
    const sizes = await measureDatabase(transaction)
    return { sizes, largest: await listLargest(transaction, largestShown) }
  }),
)

/** Sizes of what the site stores. Walks no directory: a job has added up what the database does not know. */
export async function getStorageUse({
  db,
  config,
  jobs,
}: Pick<Context, 'db' | 'config' | 'jobs'>): Promise<StorageUse> {
  const [{ sizes, largest }, found, queues, { blocks, bavail, bsize }] = await Promise.all([
    readSizes(db),
    findMeasurement(db),
    jobs.summarize(),
    statfs(config.dataDir),
  ])
  const queue = queues.find(({ name }) => name === measureStorage.name)
  return {
    ...sizes,
    measurement: found ? { ...found, measuredAt: found.measuredAt.toISOString() } : null,
    isMeasuring: queue !== undefined && queue.waiting + queue.running > 0,
    disk: { freeBytes: bavail * bsize, totalBytes: blocks * bsize },
    isInBucket: config.storageUrl !== undefined,
    cacheMaxBytes: config.cacheMaxBytes ?? null,
    cacheMaxDiskPercent: config.cacheMaxDiskPercent,
    largest,
  }
}

/** Starts the eviction of what the cache holds above its limits. One that waits or runs already is enough. */
export async function freeSpace(
  context: Pick<Context, 'db' | 'clock' | 'jobs'>,
  actor: Actor,
): Promise<void> {
  await context.db.transaction().execute(async (db) => {
    await context.jobs.enqueue(db, measureStorage, { isEvicting: true }, { key: 'evicting' })
    await record({ ...context, db }, actor, 'free_space', [{ subject: 'cache' }])
  })
}

/** Measures a site that no worker has measured yet, so that its administrators do not wait for hours. */
export async function measureNewSite({ db, jobs }: Pick<Context, 'db' | 'jobs'>): Promise<void> {
  if (!(await findMeasurement(db))) await jobs.enqueue(db, measureStorage, { isEvicting: false })
}
