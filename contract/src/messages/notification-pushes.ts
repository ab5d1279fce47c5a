import { wrong } from '../field-errors.ts'
import { messageErrors } from './errors.ts'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { ChosenKinds } from './notifications.ts'

const MutedPushes = z.object({
  muted: ChosenKinds.describe(
    'Kinds that are not pushed. A kind that is switched off in the site is not pushed either.',
  ),
})

const NotificationPushes = MutedPushes.extend({
  publicKey: z
    .string()
    .describe('The `applicationServerKey` of this site, for `PushManager.subscribe`; base64url.'),
  endpoint: z
    .string()
    .nullable()
    .describe('The address of the push service to which this session has subscribed; null without one.'),
})
export type NotificationPushes = z.infer<typeof NotificationPushes>

export const getNotificationPushes = endpoint({
  name: 'getNotificationPushes',
  tag: 'notification-pushes',
  summary: 'Which notifications the caller gets by web push, and whether this session has subscribed',
  method: 'GET',
  path: '/notifications/pushes',
  auth: 'required',
  result: NotificationPushes,
  message: 'Notifications by push',
})

export const putNotificationPushes = endpoint({
  name: 'putNotificationPushes',
  tag: 'notification-pushes',
  summary: 'Chooses the kinds of notifications that are not pushed to any device of the caller',
  method: 'PUT',
  path: '/notifications/pushes',
  auth: 'required',
  body: MutedPushes,
  result: NotificationPushes,
  message: 'Notifications by push saved',
})

export const putPushSubscription = endpoint({
  name: 'putPushSubscription',
  tag: 'notification-pushes',
  summary: 'Subscribes this session to web push, until it ends. Replaces its subscription',
  method: 'PUT',
  path: '/notifications/pushes/subscription',
  auth: 'required',
  body: z
    .object({
      endpoint: z
        .url({ protocol: /^https$/, ...wrong(messageErrors.pushEndpointInsecure) })
        .max(2000)
        .describe('Address of the push service.'),
      keys: z.object({
        p256dh: z
          .string()
          .regex(/^[\w-]{87}=?$/, wrong(messageErrors.pushKeyMalformed))
          .describe('Public key of the browser (RFC 8291); base64url.'),
        auth: z
          .string()
          .regex(/^[\w-]{22}(==)?$/, 'auth must be 16 bytes in base64url')
          .describe('Secret of the browser (RFC 8291); base64url.'),
      }),
    })
    .describe('`PushSubscription.toJSON()` of a browser.'),
  result: NotificationPushes,
  message: 'Subscribed to notifications by push',
})

export const deletePushSubscription = endpoint({
  name: 'deletePushSubscription',
  tag: 'notification-pushes',
  summary: 'Ends the web push subscription of this session',
  method: 'DELETE',
  path: '/notifications/pushes/subscription',
  auth: 'required',
  result: NotificationPushes,
  message: 'Notifications by push ended',
})
