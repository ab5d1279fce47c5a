import pMap from 'p-map'
import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { checkFeed } from './actions/check-feed.ts'
import { importEntries, releaseEnded } from './actions/import-entries.ts'
import { type FeedImportRow, listFeedsWithWaiting, takeDueFeeds } from './queries.ts'

const feedsPerBatch = 20
const feedsAtOnce = 2
/** Longer than a batch of requests that all time out. */
const leaseMs = 30 * 60_000

/** Does something with one feed, and logs what it throws, so that a broken feed never stops others. */
async function isolate(
  { log }: Context,
  { id }: FeedImportRow,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    signal.throwIfAborted()
    log.error({ feedId: id, err: error }, 'feed import failed')
  }
}

/** Begins the imports of entries that wait for them. */
export const importWaiting = defineJob({
  name: 'feed_imports.import',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 3600,
  retries: 1,
  cron: '* * * * *',
  handle: async (_, context: Context, signal) => {
    const { config, db, clock, siteSettings } = context
    if (!config.importByAddress) return
    await releaseEnded(context)
    // a worker does not hear of changes
    await siteSettings.load()
    for (const feed of await listFeedsWithWaiting(db, clock.now())) {
      signal.throwIfAborted()
      await isolate(context, feed, signal, () => importEntries(context, feed))
    }
  },
})

/** Checks the feeds that are due. */
export const checkFeeds = defineJob({
  name: 'feed_imports.check',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 3600,
  retries: 1,
  cron: '* * * * *',
  handle: async (_, context: Context, signal) => {
    const { config, db, clock, jobs } = context
    if (!config.importByAddress) return
    while (!signal.aborted) {
      const now = clock.now()
      const leasedUntil = new Date(now.getTime() + leaseMs)
      const due = await takeDueFeeds(db, { now, leasedUntil, limit: feedsPerBatch })
      if (due.length === 0) return
      const check = (feed: FeedImportRow) =>
        isolate(context, feed, signal, () => checkFeed(context, feed, signal))
      await pMap(due, check, { concurrency: feedsAtOnce })
      await jobs.enqueue(db, importWaiting, {})
    }
  },
})
