import type { WebContext } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import { withLongStatements } from '@kinora/platform/db/pool.ts'
import { hasMoreVideos } from '../queries/views.ts'
import { largeChannelLimits } from '../limits.ts'

/** Channels with more videos are large ones. Rows of analytics are not counted: years of them can be as many. */
const largeChannelVideos = 10_000

type LimitedContext = Pick<WebContext, 'db' | 'limits'>

type Limit = 'dashboards' | 'analytics'

/** Whether an owner has so many videos that sums over them take seconds. */
export function isLargeChannel(db: Db, ownerId: string): Promise<boolean> {
  return hasMoreVideos(db, ownerId, largeChannelVideos)
}

/** Reads sums over the videos of a large channel: one channel at a time for each limit. Each statement may take a minute. */
export const readLargeSums = <Sums>(
  { db, limits }: LimitedContext,
  ownerId: string,
  limit: Limit,
  read: (db: Db) => Promise<Sums>,
): Promise<Sums> => limits.of(largeChannelLimits)[limit].run(ownerId, () => withLongStatements(db, read))

/** Reads sums over the videos of an owner, those of a large channel with `readLargeSums`. */
export async function readChannelSums<Sums>(
  context: LimitedContext,
  ownerId: string,
  limit: Limit,
  read: (db: Db) => Promise<Sums>,
): Promise<Sums> {
  return (await isLargeChannel(context.db, ownerId))
    ? readLargeSums(context, ownerId, limit, read)
    : read(context.db)
}
