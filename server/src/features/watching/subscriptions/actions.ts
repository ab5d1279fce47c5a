import { watchingErrors } from '@kinora/contract/watching/errors.ts'
import { channelGroupsPerAccount } from '@kinora/contract/constants.ts'
import type { ChannelGroup } from '@kinora/contract/watching/subscriptions.ts'
import type { Db } from '../../../context/database.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { changeRow, type RowChange } from '@kinora/platform/db/change-row.ts'
import { newId } from '@kinora/platform/ids.ts'
import { deleteReferencesOfList } from '../../videos/imported-references/queries.ts'
import {
  putSubscriberNotification,
  withdrawSubscriber,
} from '../../messages/notifications/queries/subscribers.ts'
import { addToSubscriptionCounts, lockUsers } from '../../accounts/users/queries.ts'
import {
  deleteGroup as deleteGroupRow,
  deleteSubscription,
  insertGroup,
  insertSubscription,
  listGroups,
  putGroupMembers,
  renameGroup,
  restoreSubscriptions,
} from './queries.ts'

/**
 * Subscribes to a channel or ends the subscription. Both users are locked first, so that rows and counts agree under
 * concurrency.
 */
export async function changeSubscription(
  db: Db,
  subscriberId: string,
  channelId: string,
  change: RowChange,
): Promise<{ subbed: boolean; totalSub: number }> {
  return db.transaction().execute(async (transaction) => {
    await lockUsers(transaction, [subscriberId, channelId])
    const { exists, difference } = await changeRow(change, {
      insert: () => insertSubscription(transaction, subscriberId, channelId),
      remove: async () => {
        await withdrawSubscriber(transaction, subscriberId, channelId)
        return deleteSubscription(transaction, subscriberId, channelId)
      },
    })
    const totalSub = await addToSubscriptionCounts(transaction, subscriberId, channelId, difference)
    if (difference === 1) await putSubscriberNotification(transaction, channelId, subscriberId)
    return { subbed: exists, totalSub }
  })
}

/**
 * Subscribes to channels with the dates of an import, in the caller's transaction. Their owners are not notified. Returns the
 * number of new subscriptions.
 */
export async function subscribeAgain(
  db: Db,
  subscriberId: string,
  subscriptions: readonly { channelId: string; createdAt: string }[],
): Promise<number> {
  await lockUsers(db, [subscriberId, ...subscriptions.map(({ channelId }) => channelId)])
  const added = await restoreSubscriptions(db, subscriberId, subscriptions)
  for (const channelId of added) await addToSubscriptionCounts(db, subscriberId, channelId, 1)
  return added.length
}

interface GroupFields {
  name: string
  usernames: readonly string[]
}

const groupNotFound = () => new AppError(watchingErrors.groupNotFound)

/** Creates a group of followed channels. Throws `invalid` if the account has too many. */
export async function createGroup(db: Db, ownerId: string, fields: GroupFields): Promise<ChannelGroup> {
  return db.transaction().execute(async (transaction) => {
    const id = newId()
    // one at a time for each account, so that none exceeds the limit
    await lockUsers(transaction, [ownerId])
    if (!(await insertGroup(transaction, { id, ownerId, name: fields.name }, channelGroupsPerAccount)))
      throw new AppError(watchingErrors.groupLimit, { limit: channelGroupsPerAccount })
    return fillGroup(transaction, ownerId, id, fields.usernames)
  })
}

/** Replaces name and channels of a group. Throws `not_found`. */
export async function changeGroup(
  db: Db,
  ownerId: string,
  groupId: string,
  { name, usernames }: GroupFields,
): Promise<ChannelGroup> {
  return db.transaction().execute(async (transaction) => {
    if (!(await renameGroup(transaction, ownerId, groupId, name))) throw groupNotFound()
    return fillGroup(transaction, ownerId, groupId, usernames)
  })
}

/** Deletes a group. Throws `not_found`. */
export async function deleteGroup(db: Db, ownerId: string, groupId: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (!(await deleteGroupRow(transaction, ownerId, groupId))) throw groupNotFound()
    await deleteReferencesOfList(transaction, ownerId, { file: 'account.json', list: groupId })
  })
}

async function fillGroup(
  db: Db,
  ownerId: string,
  groupId: string,
  usernames: readonly string[],
): Promise<ChannelGroup> {
  await putGroupMembers(db, groupId, usernames)
  const [group] = await listGroups(db, ownerId, groupId)
  if (!group) throw groupNotFound()
  return group
}
