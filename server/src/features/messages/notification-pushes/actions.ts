import { ECDH } from 'node:crypto'
import { messageErrors } from '@kinora/contract/messages/errors.ts'
import type { NotificationPushes } from '@kinora/contract/messages/notification-pushes.ts'
import type { Context } from '../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import type { PushTarget } from '@kinora/platform/push/push-sender.ts'
import { listKinds } from '../notifications/queries/chosen-kinds.ts'
import { deleteOldestSubscriptions, findEndpoint, putSubscription } from './queries.ts'

/** More than anybody has devices. A further one ends the oldest subscription. */
const subscriptionsPerUser = 20

/** Notifications of a user by push, and whether one of their sessions has subscribed. */
export async function readPushes(
  { db, push }: Pick<Context, 'db' | 'push'>,
  userId: string,
  sessionHash: Buffer,
): Promise<NotificationPushes> {
  return {
    publicKey: await push.publicKey(),
    endpoint: (await findEndpoint(db, sessionHash)) ?? null,
    muted: await listKinds(db, 'mutedPushes', userId),
  }
}

/** Subscribes a session to push. Throws `invalid` for keys that nothing can be encrypted with. */
export async function subscribe(
  { db }: Pick<Context, 'db'>,
  subscription: PushTarget & { userId: string; sessionHash: Buffer },
): Promise<void> {
  try {
    ECDH.convertKey(subscription.p256dh, 'prime256v1', 'base64url')
  } catch {
    throw new AppError(messageErrors.pushKeyInvalid)
  }
  await db.transaction().execute(async (transaction) => {
    await putSubscription(transaction, subscription)
    await deleteOldestSubscriptions(transaction, subscription.userId, subscriptionsPerUser)
  })
}
