import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { sendLastMail } from '../../messages/mail/actions/send-mail.ts'
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
  handle: async (_, context: Context, signal) => {
    const { db, clock, log } = context
    const now = clock.now()
    const failures: unknown[] = []
    for (const { id, ...holder } of await listDue(db, now)) {
      signal.throwIfAborted()
      // it may have been kept in the meantime
      let isRemoved = false
      const isDue = (deletesAt: Date | null) => (isRemoved = deletesAt !== null && deletesAt <= now)
      try {
        await deleteAccount(context, id, undefined, { isDue, signal })
      } catch (error) {
        if (signal.aborted) throw error
        // the others must not wait for it
        log.error({ err: error, userId: id }, 'account not removed')
        failures.push(error)
        continue
      }
      if (!isRemoved) continue
      log.info({ userId: id }, 'account removed')
      await sendLastMail(context, holder)
    }
    if (failures.length > 0) throw new AggregateError(failures, 'Accounts could not be removed')
  },
})
