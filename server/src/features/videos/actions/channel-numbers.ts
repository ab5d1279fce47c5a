import type { Context } from '../../../context.ts'
import { type ChannelTotals, getTotals, listViewsByDay } from '../queries/views.ts'
import { readChannelSums } from './channel-sums.ts'

const dashboardDays = 28

/** Totals and views by day of an owner's videos. They add up every video and day, which takes seconds for a large channel. */
export async function getChannelNumbers(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  ownerId: string,
): Promise<ChannelTotals & { viewsByDay: { day: string; views: number }[] }> {
  return readChannelSums(db, ownerId, 'dashboard', async (connection) => ({
    ...(await getTotals(connection, ownerId)),
    viewsByDay: await listViewsByDay(connection, ownerId, clock.now(), dashboardDays),
  }))
}
