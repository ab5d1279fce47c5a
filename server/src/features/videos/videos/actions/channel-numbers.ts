import type { WebContext } from '../../../../context/context.ts'
import { type ChannelTotals, getTotals, listViewsByDay } from '../queries/views.ts'
import { readChannelSums } from './channel-sums.ts'

const dashboardDays = 28

/** Totals and views by day of an owner's videos. They add up every video and day, which takes seconds for a large channel. */
export async function getChannelNumbers(
  context: Pick<WebContext, 'db' | 'limits' | 'clock'>,
  ownerId: string,
): Promise<ChannelTotals & { viewsByDay: { day: string; views: number }[] }> {
  return readChannelSums(context, ownerId, 'dashboards', async (db) => ({
    ...(await getTotals(db, ownerId)),
    viewsByDay: await listViewsByDay(db, ownerId, context.clock.now(), dashboardDays),
  }))
}
