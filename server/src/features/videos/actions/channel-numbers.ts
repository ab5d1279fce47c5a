import type { Context } from '../../../context.ts'
import { allowLongStatements } from '../../../platform/db/pool.ts'
import { type ChannelTotals, getTotals, listViewsByDay } from '../queries/views.ts'

const dashboardDays = 28

/** Totals and views by day of an owner's videos. They add up every video and day, which takes seconds for a large channel. */
export async function getChannelNumbers(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  ownerId: string,
): Promise<ChannelTotals & { viewsByDay: { day: string; views: number }[] }> {
  return db.transaction().execute(async (transaction) => {
    await allowLongStatements(transaction)
    return {
      ...(await getTotals(transaction, ownerId)),
      viewsByDay: await listViewsByDay(transaction, ownerId, clock.now(), dashboardDays),
    }
  })
}
