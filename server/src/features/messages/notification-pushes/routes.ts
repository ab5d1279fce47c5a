import {
  deletePushSubscription,
  getNotificationPushes,
  putNotificationPushes,
  putPushSubscription,
} from '@kinora/contract/messages/notification-pushes.ts'
import type { FastifyRequest } from 'fastify'
import type { WebContext } from '../../../context/context.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { readSessionToken } from '@kinora/platform/http/security/session-cookie.ts'
import { hashOfToken } from '@kinora/platform/secret-token.ts'
import { readPushes, subscribe } from './actions.ts'
import { replaceKinds } from '../notifications/queries/chosen-kinds.ts'
import { deleteSubscriptionOf } from './queries.ts'

const hashOfSession = (request: FastifyRequest) => hashOfToken(readSessionToken(request) ?? '')

export const notificationPushRoutes = [
  route(getNotificationPushes, async ({ user, request }, context: WebContext) =>
    readPushes(context, user.id, hashOfSession(request)),
  ),

  route(
    putNotificationPushes,
    { clears: [], isAudited: false },
    async ({ body, user, request }, context: WebContext) => {
      await replaceKinds(context.db, 'mutedPushes', user.id, body.muted)
      return readPushes(context, user.id, hashOfSession(request))
    },
  ),

  route(
    putPushSubscription,
    { clears: [], isAudited: false },
    async ({ body, user, request }, context: WebContext) => {
      const { endpoint, keys } = body
      const sessionHash = hashOfSession(request)
      await subscribe(context, { userId: user.id, sessionHash, endpoint, ...keys })
      return readPushes(context, user.id, sessionHash)
    },
  ),

  route(
    deletePushSubscription,
    { clears: [], isAudited: false },
    async ({ user, request }, context: WebContext) => {
      const sessionHash = hashOfSession(request)
      await deleteSubscriptionOf(context.db, sessionHash)
      return readPushes(context, user.id, sessionHash)
    },
  ),
]
