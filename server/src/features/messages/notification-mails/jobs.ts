import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { loadI18n } from '../../../context/i18n.ts'
import { dayMs } from '@kinora/platform/durations.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { deliver } from '../mail/actions/deliver.ts'
import { logoUrl } from '../mail/rules/layout-mail.ts'
import { listToSend } from '../notifications/queries/notifications.ts'
import { deleteWaiting, findMailRecipient, listDaily, listWaiting, takeImmediate } from './queries.ts'
import { type MailSubject, signedText, tokenOf, writeNotificationMail } from './rules.ts'

const mailsPerBatch = 200

/** Notifications of one daily mail. The page of notifications has the others. */
const shownInDailyMail = 20

/** Older notifications are not mailed: without a mail server, they would all go out once there is one. */
const mailedDays = 3

/**
 * Sends a notification by mail, or with null what waits for the daily mail. Reads again what is sent: nothing about a video
 * that was hidden, nothing that was read or that the user does not want anymore. Sends at least once: a worker that dies
 * after the mail server accepted the mail, and before the job ends, sends it again.
 */
export const sendNotificationMail = defineJob({
  name: 'notification_mails.send',
  payload: z.object({ userId: z.string(), notificationId: z.number().nullable() }),
  // a queue of its own, so that mails to many subscribers do not hold up those for a new password
  concurrency: 2,
  timeLimitSeconds: 120,
  retries: 20,
  exclusive: true,
  handle: async ({ userId, notificationId }, context: Context) => {
    const { db, mailer, config, secret, siteSettings, clock } = context
    if (!mailer || config.publicUrl === undefined) return
    const ids = notificationId === null ? await listWaiting(db, userId) : [notificationId]
    const recipient = await findMailRecipient(db, userId)
    const since = new Date(clock.now().getTime() - mailedDays * dayMs)
    const notifications = recipient
      ? await listToSend(db, { userId, ids, since, limit: shownInDailyMail }, 'mail')
      : []
    const [first] = notifications
    if (recipient && first) {
      const subject: MailSubject = notificationId === null ? 'daily' : first.kind
      const token = tokenOf(userId, subject, await secret.hash(signedText(userId, subject)))
      const { siteName, siteLogo, siteLanguage } = await siteSettings.load()
      const logo = logoUrl(siteLogo, config.publicUrl)
      const { email, username, language } = recipient
      const i18n = await loadI18n(language, siteLanguage)
      const fields = {
        i18n,
        origin: config.publicUrl,
        siteName,
        logo,
        username,
        notifications,
        token,
        subject,
      }
      await deliver(context, mailer, { userId, email }, writeNotificationMail(fields), { subject })
    }
    const [newest] = ids
    if (notificationId === null && newest !== undefined) await deleteWaiting(db, userId, newest)
  },
})

/** Queues the mails of notifications since the last minute: what is withdrawn within it is not mailed. */
export const queueImmediateMails = defineJob({
  name: 'notification_mails.queue_immediate',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 300,
  retries: 2,
  cron: '* * * * *',
  handle: async (_, { db, jobs, mailer }: Context, signal) => {
    if (!mailer) return
    for (let queued = mailsPerBatch; queued === mailsPerBatch && !signal.aborted;) {
      // together, so that a crash neither loses nor doubles a mail
      queued = await db.transaction().execute(async (transaction) => {
        const due = await takeImmediate(transaction, mailsPerBatch)
        for (const each of due) {
          await jobs.enqueue(transaction, sendNotificationMail, each, { key: String(each.notificationId) })
        }
        return due.length
      })
    }
  },
})

/** Queues the daily mails of this hour. */
export const queueDailyMails = defineJob({
  name: 'notification_mails.queue_daily',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 300,
  retries: 2,
  cron: '0 * * * *',
  handle: async (_, { db, jobs, mailer, clock }: Context, signal) => {
    if (!mailer) return
    const hour = clock.now().getUTCHours()
    for (let last: string | undefined = ''; last !== undefined && !signal.aborted;) {
      const due: string[] = await listDaily(db, hour, last, mailsPerBatch)
      for (const userId of due)
        await jobs.enqueue(db, sendNotificationMail, { userId, notificationId: null }, { key: userId })
      last = due.at(-1)
    }
  },
})

export const notificationMailJobs = [sendNotificationMail, queueImmediateMails, queueDailyMails]
