import { z } from 'zod'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs/jobs.ts'
import { sendLastMail } from '../mail/actions.ts'
import { deleteAccount } from './actions.ts'
import { listDue } from './queries.ts'

/** Removes the accounts that their holders deleted, once they can be kept no longer. */
export const removeLeavingAccounts = defineJob({
  name: 'accounts.remove_leaving',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 1800,
  retries: 2,
  cron: '*/10 * * * *',
  handle: async (_, context: Context) => {
    const { db, clock, log } = context
    const now = clock.now()
    for (const { id, ...holder } of await listDue(db, now)) {
      // it may have been kept in the meantime
      let isRemoved = false
      const isDue = (deletesAt: Date | null) => (isRemoved = deletesAt !== null && deletesAt <= now)
      await deleteAccount(context, id, undefined, { isDue })
      if (!isRemoved) continue
      log.info({ userId: id }, 'account removed')
      await sendLastMail(context, holder)
    }
  },
})
