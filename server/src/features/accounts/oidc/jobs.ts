import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { deleteExpiredRequests } from './queries.ts'

/** Sign-ins that people began and did not finish. */
export const deleteOldRequests = defineJob({
  name: 'oidc.delete_expired_requests',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 60,
  retries: 2,
  cron: '*/10 * * * *',
  handle: async (_, { db, clock }: Context) => deleteExpiredRequests(db, clock.now()),
})
