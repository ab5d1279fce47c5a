import { z } from 'zod'
import { mailFrequencies } from '../constants.ts'
import { endpoint } from '../endpoint.ts'
import { ChosenKinds } from './notifications.ts'

export const NotificationMails = z.object({
  frequency: z
    .enum(mailFrequencies)
    .describe('`immediate` sends a mail for each notification, `daily` one with all that are unread.'),
  hour: z.number().int().min(0).max(23).describe('The hour in UTC of the daily mail.'),
  kinds: ChosenKinds.describe(
    'Kinds that are mailed. A kind that is switched off in the site is not mailed either.',
  ),
})
export type NotificationMails = z.infer<typeof NotificationMails>

export const getNotificationMails = endpoint({
  name: 'getNotificationMails',
  tag: 'notification-mails',
  summary: 'Which notifications the caller gets by mail; 404 where the site sends no mail',
  method: 'GET',
  path: '/notifications/mails',
  auth: 'required',
  result: NotificationMails,
  message: 'Notifications by mail',
})

export const putNotificationMails = endpoint({
  name: 'putNotificationMails',
  tag: 'notification-mails',
  summary: 'Chooses notifications by mail. Mails go to a confirmed address only; see `getEmailState`',
  method: 'PUT',
  path: '/notifications/mails',
  auth: 'required',
  body: NotificationMails,
  result: NotificationMails,
  message: 'Notifications by mail saved',
})

export const unsubscribeFromMails = endpoint({
  name: 'unsubscribeFromMails',
  tag: 'notification-mails',
  summary: 'Ends the mails of a kind, or the daily mail, by the token in the link of a mail',
  method: 'POST',
  path: '/notifications/mails/unsubscribe',
  auth: 'none',
  body: z.object({ token: z.string().max(200) }),
  result: z.null(),
  message: 'Unsubscribed',
})
