import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { deleteExpiredChallenges } from './queries.ts'

/** Everybody who opens the login page leaves a challenge. */
export const deleteOldChallenges = defineJob({
  name: 'passkeys.delete_expired_challenges',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 60,
  retries: 2,
  cron: '*/10 * * * *',
  handle: async (_, { db, clock }: Context) => deleteExpiredChallenges(db, clock.now()),
})
