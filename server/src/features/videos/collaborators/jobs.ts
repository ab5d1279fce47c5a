import { dayMs } from '@kinora/platform/durations.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { deleteActivity } from './queries/activity.ts'

const keptDays = 365

export const deleteOldActivity = defineJob({
  name: 'collaborators.delete_old_activity',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 300,
  retries: 2,
  cron: '51 4 * * *',
  handle: async (_, { db, clock }: Context) =>
    deleteActivity(db, new Date(clock.now().getTime() - keptDays * dayMs)),
})
