import { z } from 'zod'
import { SensitiveMark } from '../sensitive-mark.ts'
import { notificationKinds, reportKinds } from '../constants.ts'
import { endpoint } from '../endpoint.ts'
import { PageQuery } from '../page-query.ts'

export const NotificationKind = z.enum(notificationKinds)
export type NotificationKind = z.infer<typeof NotificationKind>
/** Kinds that a user chooses. */
export const ChosenKinds = z.array(NotificationKind).max(notificationKinds.length)

export const UnreadCount = z.object({ unread: z.number().int().min(0) })
export type UnreadCount = z.infer<typeof UnreadCount>

export const Notification = z.object({
  _id: z.string(),
  kind: NotificationKind,
  isRead: z.boolean(),
  createdAt: z.iso.datetime(),
  actor: z
    .object({ username: z.string(), fullname: z.string(), avatar: z.string() })
    .nullable()
    .describe(
      'The user who caused it, the latest if there are several. Null for `processing`, `sign_in`, `webhook`, `live_expired` and `to_decide`.',
    ),
  actorsCount: z
    .number()
    .int()
    .describe(
      'A `subscriber` notification counts new subscribers until it is read, `to_decide` what waits for a decision. Otherwise 1.',
    ),
  video: z
    .object({
      _id: z.string(),
      title: z.string(),
      thumbnail: z.string(),
      sensitive: SensitiveMark.optional(),
      processing: z.enum(['processing', 'ready', 'failed']),
      isStream: z
        .literal(true)
        .optional()
        .describe('Of the kind `premiere`: a live stream that was announced.'),
    })
    .nullable(),
  comment: z
    .object({ _id: z.string(), content: z.string().describe('The first 200 characters.') })
    .nullable(),
  report: z
    .object({
      _id: z.string(),
      kind: z.enum(reportKinds),
      title: z.string().describe('Of what was reported; the first 200 characters.'),
      decision: z.enum(['dismiss', 'remove']),
      note: z.string().describe('The reason of the decision.'),
    })
    .nullable()
    .describe('Of the kinds `report` (to those who reported) and `moderation` (to the person concerned).'),
  device: z.string().nullable().describe('Of the kind `sign_in`: browser and system that were new.'),
})
export type Notification = z.infer<typeof Notification>

export const listNotifications = endpoint({
  name: 'listNotifications',
  tag: 'notifications',
  summary: 'Notifications of the caller, newest first',
  method: 'GET',
  path: '/notifications',
  auth: 'required',
  query: PageQuery,
  result: z.array(Notification),
  paged: true,
  message: 'Notifications',
})

export const countUnreadNotifications = endpoint({
  name: 'countUnreadNotifications',
  tag: 'notifications',
  summary: 'The number of unread notifications of the caller',
  method: 'GET',
  path: '/notifications/unread',
  auth: 'required',
  result: UnreadCount,
  message: 'Unread notifications',
})

export const readNotification = endpoint({
  name: 'readNotification',
  tag: 'notifications',
  summary: 'Marks a notification as read',
  method: 'PUT',
  path: '/notifications/:notificationId/read',
  auth: 'required',
  params: z.object({ notificationId: z.string().min(1).max(64) }),
  result: z.null(),
  message: 'Notification read',
})

export const readAllNotifications = endpoint({
  name: 'readAllNotifications',
  tag: 'notifications',
  summary: 'Marks all notifications as read',
  method: 'PUT',
  path: '/notifications/read',
  auth: 'required',
  result: z.null(),
  message: 'Notifications read',
})

const NotificationSettings = z.object({
  muted: ChosenKinds.describe('Kinds that are switched off.'),
})

const OwnKinds = z
  .array(NotificationKind)
  .describe('Kinds that the caller can get: some concern moderators only.')

export const getNotificationSettings = endpoint({
  name: 'getNotificationSettings',
  tag: 'notifications',
  summary: 'The kinds of notifications that the caller has switched off',
  method: 'GET',
  path: '/notifications/settings',
  auth: 'required',
  result: NotificationSettings.extend({ kinds: OwnKinds }),
  message: 'Notification settings',
})

export const putNotificationSettings = endpoint({
  name: 'putNotificationSettings',
  tag: 'notifications',
  summary: 'Switches kinds of notifications off; all others are on',
  method: 'PUT',
  path: '/notifications/settings',
  auth: 'required',
  body: NotificationSettings,
  result: NotificationSettings.extend({ kinds: OwnKinds }),
  message: 'Notification settings saved',
})
