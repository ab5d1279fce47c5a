import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { deleteEndedWindows } from '@kinora/platform/http/limits/shared-rate-limit.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { deleteExpiredSessions, deleteForgottenAddresses, deleteForgottenDevices } from './queries.ts'
import { knownSince } from './rules.ts'

export const deleteExpired = defineJob({
  name: 'sessions.delete_expired',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 300,
  retries: 2,
  cron: '23 4 * * *',
  handle: async (_, { db, clock, siteSettings }: Context) => {
    await deleteExpiredSessions(db, clock.now())
    const { addressDays } = await siteSettings.load()
    await deleteForgottenAddresses(db, knownSince(clock.now(), addressDays))
    await deleteForgottenDevices(db, knownSince(clock.now(), addressDays))
  },
})

/** Every name that is tried leaves a row. */
export const deleteEndedLimits = defineJob({
  name: 'sessions.delete_ended_limits',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 300,
  retries: 2,
  cron: '*/10 * * * *',
  handle: async (_, { db, clock }: Context) => deleteEndedWindows(db, clock.now()),
})
