import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { deleteOldChanges } from './queries.ts'

/** Deletes previous addresses of accounts once they cannot undo the change. */
export const deleteOldEmailChanges = defineJob({
  name: 'emails.delete_old_changes',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 60,
  retries: 2,
  cron: '47 * * * *',
  handle: async (_, { db, clock }: Context) => deleteOldChanges(db, clock.now()),
})
