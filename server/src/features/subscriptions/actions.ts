import type { Db } from '../../database.ts'
import { putOfSubscriber, withdrawSubscriber } from '../notifications/queries.ts'
import { addToSubscriptionCounts, lockUsers } from '../users/queries.ts'
import { flipSubscription } from './queries.ts'

/**
 * Subscribes to a channel or ends the subscription. Both users are locked first, so that rows and counts agree under
 * concurrency.
 */
export async function toggleSubscription(
  db: Db,
  subscriberId: string,
  channelId: string,
): Promise<{ subbed: boolean; totalSub: number }> {
  return db.transaction().execute(async (transaction) => {
    await lockUsers(transaction, [subscriberId, channelId])
    await withdrawSubscriber(transaction, subscriberId, channelId)
    const subbed = await flipSubscription(transaction, subscriberId, channelId)
    const difference = subbed ? 1 : -1
    const totalSub = await addToSubscriptionCounts(transaction, subscriberId, channelId, difference)
    if (subbed) await putOfSubscriber(transaction, channelId, subscriberId)
    return { subbed, totalSub }
  })
}
