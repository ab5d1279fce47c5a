import type { Db } from '../../../database.ts'
import { FairSemaphore } from '../../../platform/concurrency/fair-semaphore.ts'
import { withLongStatements } from '../../../platform/db/pool.ts'
import { hasMoreVideos } from '../queries/views.ts'

/** Number of videos above which sums take seconds. */
const largeChannel = 10_000

/**
 * Each read holds a connection of the pool for up to minutes; the other connections remain for other requests. Dashboards,
 * which take a second, do not wait for analytics.
 */
const semaphores = {
  dashboard: new FairSemaphore({ total: 1, perKey: 1 }),
  analytics: new FairSemaphore({ total: 1, perKey: 1 }),
}

/** Whether sums over an owner's videos take seconds. */
export function isLargeChannel(db: Db, ownerId: string): Promise<boolean> {
  return hasMoreVideos(db, ownerId, largeChannel)
}

/** Reads sums over the videos of a large channel: one channel at a time for each page. Each statement may take a minute. */
export const readLargeSums = <Sums>(
  db: Db,
  ownerId: string,
  page: keyof typeof semaphores,
  read: (db: Db) => Promise<Sums>,
): Promise<Sums> => semaphores[page].run(ownerId, () => withLongStatements(db, read))

/** Reads sums over the videos of an owner, those of a large channel with `readLargeSums`. */
export async function readChannelSums<Sums>(
  db: Db,
  ownerId: string,
  page: keyof typeof semaphores,
  read: (db: Db) => Promise<Sums>,
): Promise<Sums> {
  return (await isLargeChannel(db, ownerId)) ? readLargeSums(db, ownerId, page, read) : read(db)
}
