import { z } from 'zod'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs/jobs.ts'
import { discardPicture } from '../pictures/actions.ts'
import { findSourceKey } from './queries.ts'

/** Long after the slowest upload that is still alive. */
const sweepAfterMs = 3 * 24 * 3600 * 1000

/** Deletes what killed processes had stored of objects that they never finished: nobody sees it, but it takes room. */
export const sweepUnfinished = defineJob({
  name: 'uploads.sweep_unfinished',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 3600,
  retries: 1,
  cron: '17 4 * * *',
  handle: (_, { storage, clock }: Context) => storage.sweep(new Date(clock.now().getTime() - sweepAfterMs)),
})

/**
 * Looks after an upload whose process was killed between storing the files and inserting the row: what no video
 * speaks of is deleted. Enqueued before anything is stored.
 */
export const discardUnpublished = defineJob({
  name: 'uploads.discard_unpublished',
  payload: z.object({ videoId: z.string(), sourceKey: z.string(), thumbnail: z.string() }),
  concurrency: 1,
  timeLimitSeconds: 600,
  retries: 10,
  handle: async ({ videoId, sourceKey, thumbnail }, context: Context) => {
    if ((await findSourceKey(context.db, videoId)) === sourceKey) return
    await context.storage.delete(sourceKey)
    await discardPicture(context, thumbnail)
  },
})
