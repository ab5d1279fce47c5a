import { messageErrors } from '@kinora/contract/messages/errors.ts'
import {
  isTestAccount,
  siteWebhookEvents,
  webhookEvents,
  webhooksPerAccount,
} from '@kinora/contract/constants.ts'
import { hasRole } from '@kinora/contract/accounts/roles.ts'
import * as contract from '@kinora/contract/messages/webhooks.ts'
import type { WebContext } from '../../../context/context.ts'
import { AppError, fieldError } from '@kinora/platform/errors.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { newId } from '@kinora/platform/ids.ts'
import { deliverWebhooks } from './jobs.ts'
import * as queries from './queries.ts'
import { newWebhookSecret } from './rules.ts'
import { writeLimit } from '../../../context/limits.ts'

const webhookNotFound = () => new AppError(messageErrors.webhookNotFound)

const notAdministrator = () => new AppError(messageErrors.siteEventsNotAllowed)

const parseEvents = (stored: readonly string[]) => webhookEvents.filter((event) => stored.includes(event))

export const webhookRoutes = [
  route(contract.listWebhooks, async ({ user }, { db }: WebContext) => {
    const rows = await queries.listWebhooksOf(db, user.id)
    return rows.map(({ id, url, events, isSite, secret, createdAt, pausedAt }) => ({
      _id: id,
      url,
      events: parseEvents(events),
      isSite,
      secret,
      createdAt: createdAt.toISOString(),
      pausedAt: pausedAt?.toISOString() ?? null,
    }))
  }),

  route(contract.createWebhook, { clears: [] }, async ({ body, user }, { db, clock, config }: WebContext) => {
    const { isSite = false } = body
    // percent-encodes what the database cannot store
    const url = new URL(body.url).href
    if (isTestAccount(user.username, config)) throw new AppError(messageErrors.sharedAccountWebhook)
    if (isSite && !hasRole(user.role, 'administrator')) throw notAdministrator()
    const events = parseEvents(body.events)
    if (!isSite && siteWebhookEvents.some((event) => events.includes(event)))
      throw new AppError(
        messageErrors.siteEvents,
        { events: siteWebhookEvents.join(' and ') },
        {
          errors: [fieldError('events', messageErrors.siteEventsOnly)],
        },
      )
    const createdAt = clock.now()
    const row = { id: newId(), userId: user.id, isSite, url, secret: newWebhookSecret(), events, createdAt }
    if (!(await queries.insertWebhook(db, row, webhooksPerAccount)))
      throw new AppError(messageErrors.webhookLimit, { limit: webhooksPerAccount })
    const { id, secret } = row
    return { _id: id, url, events, isSite, secret, createdAt: createdAt.toISOString(), pausedAt: null }
  }),

  route(contract.deleteWebhook, { clears: [] }, async ({ params, user }, { db }: WebContext) => {
    if (!(await queries.deleteWebhookOf(db, user.id, params.webhookId))) throw webhookNotFound()
    return null
  }),

  route(contract.testWebhook, { clears: [] }, async ({ params, user }, { db, jobs, limits }: WebContext) => {
    limits.of(writeLimit).assertAllowed(user.id)
    const outcome = await queries.insertTest(db, user.id, params.webhookId)
    if (outcome === 'unknown') throw webhookNotFound()
    if (outcome === 'refused') throw notAdministrator()
    if (outcome === 'waiting') throw new AppError(messageErrors.webhookTestRunning)
    await jobs.enqueue(db, deliverWebhooks, {}, { key: 'now' })
    return null
  }),

  route(contract.resumeWebhook, { clears: [] }, async ({ params, user }, { db }: WebContext) => {
    if (!(await queries.updateResumed(db, user.id, params.webhookId))) throw webhookNotFound()
    return null
  }),

  route(contract.listWebhookDeliveries, async ({ params, user }, { db }: WebContext) => {
    const rows = await queries.findDeliveriesOf(db, user.id, params.webhookId)
    if (!rows) throw webhookNotFound()
    return rows.map(({ id, event, createdAt, nextAttemptAt, isDelivered, ...row }) => ({
      _id: id,
      event: contract.WebhookEvent.or(contract.WebhookDelivery.shape.event).parse(event),
      state: isDelivered
        ? ('delivered' as const)
        : nextAttemptAt
          ? ('waiting' as const)
          : ('failed' as const),
      createdAt: createdAt.toISOString(),
      ...row,
    }))
  }),
]
