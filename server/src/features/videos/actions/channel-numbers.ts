import type { Context } from '../../../context.ts'
import { reuseSlowResults } from '../../../platform/concurrency/reuse-slow-results.ts'
import { allowLongStatements } from '../../../platform/db/pool.ts'
import { getTotals, listViewsByDay } from '../queries/views.ts'

const dashboardDays = 28

/**
 * Totals and views by day of an owner's videos. They add up every video and day; for a channel where that takes seconds, they
 * may be some minutes old.
 */
export const getChannelNumbers = reuseSlowResults(
  ({ db, clock }: Pick<Context, 'db' | 'clock'>, ownerId: string) =>
    db.transaction().execute(async (transaction) => {
      await allowLongStatements(transaction)
      return {
        ...(await getTotals(transaction, ownerId)),
        viewsByDay: await listViewsByDay(transaction, ownerId, clock.now(), dashboardDays),
      }
    }),
)
