import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { loadI18n } from '../../../context/i18n.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { listToSend } from '../notifications/queries/notifications.ts'
import { pathOf, textOf } from '../notifications/rules.ts'
import { deleteSubscription, findTarget, takeDue } from './queries.ts'

const notificationsPerBatch = 200

/** Older notifications are not pushed: without a worker or network, they would all arrive once there is one. */
const pushedHours = 24

const bodyMaxCharacters = 300

/**
 * Pushes a notification to one browser. Reads again what is sent, like the job of the mails. Sends at least once; browsers
 * show a notification that arrives twice once.
 */
export const sendNotificationPush = defineJob({
  name: 'notification_pushes.send',
  payload: z.object({ notificationId: z.number(), subscriptionId: z.number() }),
  concurrency: 5,
  // a push service that does not respond holds up only those who chose it
  concurrencyPerGroup: 2,
  timeLimitSeconds: 60,
  retries: 10,
  exclusive: true,
  handle: async ({ notificationId, subscriptionId }, { db, push, siteSettings, clock, log }: Context) => {
    const now = clock.now()
    const target = await findTarget(db, subscriptionId, now)
    if (!target) return
    const { userId } = target
    const since = new Date(now.getTime() - pushedHours * 3600 * 1000)
    const [notification] = await listToSend(db, { userId, ids: [notificationId], since, limit: 1 }, 'push')
    if (!notification) return
    const { siteName, siteLanguage } = await siteSettings.load()
    const i18n = await loadI18n(target.language, siteLanguage)
    const outcome = await push.send(target, {
      id: notification._id,
      kind: notification.kind,
      title: siteName,
      body: textOf(i18n, notification).slice(0, bodyMaxCharacters),
      path: pathOf(notification),
    })
    if (outcome === 'gone') await deleteSubscription(db, subscriptionId)
    if (outcome === 'delivered') log.info({ userId, notificationId }, 'notification pushed')
    else log.warn({ userId, notificationId, outcome }, 'push refused')
  },
})

/** Queues the pushes of notifications since the last minute: what is read or withdrawn within it is not pushed. */
export const queuePushes = defineJob({
  name: 'notification_pushes.queue',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 300,
  retries: 2,
  cron: '* * * * *',
  handle: async (_, { db, jobs }: Context, signal) => {
    for (let taken = 1; taken > 0 && !signal.aborted;) {
      // together, so that a crash neither loses nor doubles a push
      taken = await db.transaction().execute(async (transaction) => {
        const due = await takeDue(transaction, notificationsPerBatch)
        for (const { userId, notificationId, subscriptionId } of due) {
          if (subscriptionId === null) continue
          const key = `${notificationId}/${subscriptionId}`
          const payload = { notificationId, subscriptionId }
          await jobs.enqueue(transaction, sendNotificationPush, payload, { key, group: userId })
        }
        return due.length
      })
    }
  },
})

export const notificationPushJobs = [sendNotificationPush, queuePushes]
