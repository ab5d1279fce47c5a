import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { dayMs } from '@kinora/platform/durations.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import {
  deleteAnnounced,
  deleteHidden,
  insertAnnounced,
  insertVideoNotifications,
  isAnnounced,
} from './queries/videos.ts'
import { insertReminderNotifications } from './queries/reminders.ts'
import { deleteOld } from './queries/notifications.ts'

const peoplePerBatch = 500
/** Rest after a batch, as a multiple of its duration: reads keep three quarters of the time. */
const restFactor = 3

/** Days after which a notification is deleted. */
const keptDays = 90

/** Repeats a batch until it returns false, with a rest after each: other statements come first. */
async function inBatches(signal: AbortSignal, batch: () => Promise<boolean>): Promise<void> {
  for (;;) {
    const startedAt = performance.now()
    if (!(await batch())) return
    await delay(restFactor * (performance.now() - startedAt), undefined, { signal })
  }
}

/** Notifies those who asked to be reminded of a premiere, and the subscribers of a channel, of a new video. */
export const notifySubscribers = defineJob({
  name: 'notifications.notify_subscribers',
  payload: z.object({ videoId: z.string() }),
  concurrency: 1,
  timeLimitSeconds: 3600,
  retries: 10,
  handle: async ({ videoId }, { db }: Context, signal) => {
    const remind = () => insertReminderNotifications(db, videoId, peoplePerBatch)
    await inBatches(signal, async () => (await remind()) === peoplePerBatch)
    if (await isAnnounced(db, videoId)) return
    let batch: { last: string | null; isPublic: boolean } = { last: '', isPublic: true }
    await inBatches(signal, async () => {
      batch = await insertVideoNotifications(db, videoId, batch.last ?? '', peoplePerBatch)
      return batch.last !== null
    })
    // one that was hidden meanwhile is announced when it becomes public
    if (batch.isPublic) await insertAnnounced(db, videoId)
  },
})

/** Deletes the notifications about a video of those who may not see it any more. */
export const withdrawNotifications = defineJob({
  name: 'notifications.withdraw',
  payload: z.object({ videoId: z.string() }),
  concurrency: 1,
  timeLimitSeconds: 3600,
  retries: 10,
  handle: async ({ videoId }, { db }: Context, signal) => {
    await deleteAnnounced(db, videoId)
    await inBatches(signal, async () => (await deleteHidden(db, videoId, peoplePerBatch)) === peoplePerBatch)
  },
})

export const deleteOldNotifications = defineJob({
  name: 'notifications.delete_old',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 3600,
  retries: 2,
  cron: '17 4 * * *',
  handle: async (_, { db, clock }: Context, signal) => {
    const before = new Date(clock.now().getTime() - keptDays * dayMs)
    await inBatches(signal, async () => (await deleteOld(db, before, peoplePerBatch)) === peoplePerBatch)
  },
})

export const notificationJobs = [notifySubscribers, withdrawNotifications, deleteOldNotifications]
