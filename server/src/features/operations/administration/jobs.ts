import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { dayMs } from '@kinora/platform/durations.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { deleteAuditEntries } from './queries.ts'

/** Deletes old entries of the audit log, where administrators have limited the days that they are kept. */
export const deleteOldAuditEntries = defineJob({
  name: 'administration.delete_old_audit_entries',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 300,
  retries: 2,
  cron: '33 4 * * *',
  handle: async (_, { db, clock, siteSettings }: Context) => {
    const { auditLogDays } = await siteSettings.load()
    if (auditLogDays === null) return
    await deleteAuditEntries(db, new Date(clock.now().getTime() - auditLogDays * dayMs))
  },
})
