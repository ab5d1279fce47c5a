import { dayMs } from '@kinora/platform/durations.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { deleteVisits } from './queries/links.ts'

/** A browser that has not opened its link for so long counts as another viewer. */
const visitDays = 30

export const deleteOldVisits = defineJob({
  name: 'share_links.delete_old_visits',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 300,
  retries: 2,
  cron: '41 4 * * *',
  handle: async (_, { db, clock }: Context) =>
    deleteVisits(db, new Date(clock.now().getTime() - visitDays * dayMs)),
})
