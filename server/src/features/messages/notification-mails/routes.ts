import {
  getNotificationMails,
  putNotificationMails,
  unsubscribeFromMails,
} from '@kinora/contract/messages/notification-mails.ts'
import type { WebContext } from '../../../context/context.ts'
import { parseInput } from '@kinora/platform/http/routing/parse-input.ts'
import { rawRoute } from '@kinora/platform/http/routing/raw-route.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { assertMailConfigured } from '../mail/actions/send-mail.ts'
import { unsubscribe } from './actions.ts'
import { getChoice, putChoice } from './queries.ts'

export const notificationMailRoutes = [
  route(getNotificationMails, async ({ user }, context: WebContext) => {
    assertMailConfigured(context)
    return getChoice(context.db, user.id)
  }),

  route(
    putNotificationMails,
    { clears: [], isAudited: false },
    async ({ body, user }, context: WebContext) => {
      assertMailConfigured(context)
      await context.db.transaction().execute((transaction) => putChoice(transaction, user.id, body))
      return getChoice(context.db, user.id)
    },
  ),

  route(unsubscribeFromMails, { clears: [] }, async ({ body }, context: WebContext) => {
    await unsubscribe(context, body.token)
    return null
  }),
]

/** Ends mails for mail programs (RFC 8058): they post to the address that shows people a page with a button. */
export const unsubscribeRoutes = [
  rawRoute(
    { method: 'POST', path: '/unsubscribe', auth: 'none', ignoresBody: true },
    async ({ request, reply }, context: WebContext) => {
      const { token } = parseInput(unsubscribeFromMails.body, request.query, context.config)
      await unsubscribe(context, token)
      return reply.type('text/plain; charset=utf-8').send('Unsubscribed\n')
    },
  ),
]
