import type { Context } from '../../../../context/context.ts'
import type { WithinTransaction } from '../../../../context/database.ts'
import { sessionsEnded } from '../../../../context/topics.ts'
import { endSessions } from '../../sessions/actions.ts'
import { updateSuspension } from '../queries.ts'

/** Suspends an account: its sessions end, and it cannot log in until `reinstateUser`. */
export async function suspendUser(
  { db, clock, pubsub }: Pick<Context, 'db' | 'clock' | 'pubsub'>,
  userId: string,
  withinTransaction?: WithinTransaction,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await updateSuspension(transaction, userId, clock.now())
    await endSessions(transaction, userId)
    // also without a session: others may be working on the channel
    await pubsub.publish(transaction, sessionsEnded, userId)
    await withinTransaction?.(transaction)
  })
}

export async function reinstateUser(
  { db }: Pick<Context, 'db'>,
  userId: string,
  withinTransaction?: WithinTransaction,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await updateSuspension(transaction, userId, null)
    await withinTransaction?.(transaction)
  })
}
