import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { foldPlaybacks } from './actions.ts'

const rowsPerFold = 2000

/** Adds the playbacks of the last minute to the stored numbers. Until then analytics add the pending ones. */
export const foldPendingPlaybacks = defineJob({
  name: 'analytics.fold_playbacks',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 300,
  retries: 2,
  cron: '* * * * *',
  handle: async (_, { db }: Context, signal) => {
    while (!signal.aborted && (await foldPlaybacks(db, rowsPerFold)) > 0);
  },
})
