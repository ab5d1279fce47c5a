import { dayMs } from '@kinora/platform/durations.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { deleteRemoved } from './queries.ts'

/** Days for which removed messages are kept, for moderators who look into what was said. */
const keptDays = 30

const deleteRemovedMessages = defineJob({
  name: 'chat.delete_removed',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 300,
  retries: 2,
  cron: '47 4 * * *',
  handle: (_, { db, clock }: Context) =>
    deleteRemoved(db, new Date(clock.now().getTime() - keptDays * dayMs)),
})

export const chatJobs = [deleteRemovedMessages]
