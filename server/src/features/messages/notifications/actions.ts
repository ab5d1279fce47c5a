import pLimit from 'p-limit'
import type { Context } from '../../../context/context.ts'
import { unreadOf, unreadRange } from './topics.ts'
import { notifySubscribers, withdrawNotifications } from './jobs.ts'
import { countUnread } from './queries/notifications.ts'

/** Notifies the subscribers of a video's owner in the background. Does nothing for a video that is not public then. */
export async function notifyOfNewVideo({ db, jobs }: Pick<Context, 'db' | 'jobs'>, videoId: string) {
  await jobs.enqueue(db, notifySubscribers, { videoId })
}

/** Withdraws the notifications about a video that was deleted or hidden, in the background. */
export async function withdrawVideo({ db, jobs }: Pick<Context, 'db' | 'jobs'>, videoId: string) {
  await jobs.enqueue(db, withdrawNotifications, { videoId })
}

/** Calls `listener` with the number of unread notifications of a user whenever it may have changed, until this is disposed. */
export async function onUnread(
  { db, pubsub, log }: Pick<Context, 'db' | 'pubsub' | 'log'>,
  userId: string,
  listener: (unread: number) => void,
): Promise<Disposable> {
  // one after another, so that the newest count comes last
  const counts = pLimit(1)
  const count = () => {
    // a count that has not begun will see this change, too
    if (counts.pendingCount > 0) return
    counts(() => countUnread(db, userId)).then(listener, (error: unknown) =>
      log.warn({ err: error }, 'unread notifications not counted'),
    )
  }
  // the published number is the stored one, which includes what the list leaves out
  const stopOwn = await pubsub.subscribe(unreadOf(userId), count, count)
  const stopRanges = await pubsub
    .subscribe(
      unreadRange,
      ([first, last]) => {
        if (userId >= first && userId <= last) count()
      },
      // counted for the other topic
      () => undefined,
    )
    .catch((error: unknown) => {
      stopOwn()
      throw error
    })
  return {
    [Symbol.dispose]() {
      stopOwn()
      stopRanges()
    },
  }
}
