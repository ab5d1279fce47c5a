import pMap from 'p-map'
import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { postOutside, problemOf } from '@kinora/platform/http/outgoing/request-outside.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { insertWebhookNotification } from '../notifications/queries/account.ts'
import { deleteOldDeliveries, type DueDelivery, recordAttempt, returnTaken, takeDue } from './queries.ts'
import { failuresUntilPause, nextAttemptAt, signedHeaders } from './rules.ts'

const deliveriesPerBatch = 50
/** Keeps batches short when one owner's receiver hangs. */
const deliveriesPerOwner = 10
const deliveriesAtOnce = 5
/** Longer than a batch of requests that all time out. */
const leaseMs = 5 * 60_000

/**
 * Sends what is due, every minute and for tests. Sends at least once: a worker that dies after a request sends it again,
 * with the same `webhook-id`.
 */
export const deliverWebhooks = defineJob({
  name: 'webhooks.deliver',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 600,
  retries: 2,
  cron: '* * * * *',
  handle: async (_, context: Context, signal) => {
    const { db, clock } = context
    const webhookIds = new Set<string>()
    for (let taken = 1; taken > 0 && !signal.aborted;) {
      const now = clock.now()
      const leasedUntil = new Date(now.getTime() + leaseMs)
      const due = await takeDue(db, {
        now,
        leasedUntil,
        limit: deliveriesPerBatch,
        perOwner: deliveriesPerOwner,
      })
      await pMap(due, (each) => deliver(context, each, signal), { concurrency: deliveriesAtOnce })
      for (const { webhookId } of due) webhookIds.add(webhookId)
      taken = due.length
    }
    // Other logs have nothing to delete: every delivery is taken at least once.
    if (webhookIds.size > 0) await deleteOldDeliveries(db, [...webhookIds])
  },
})

async function deliver(
  { db, clock, config, log }: Context,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return returnTaken(db, delivery.id, clock.now())
  const { id, event, data, createdAt, attempts, url, secret, webhookId } = delivery
  const body = JSON.stringify({ type: event, timestamp: createdAt.toISOString(), data })
  const sentAt = clock.now()
  const startedMs = performance.now()
  let status: number | null = null
  let problem: string | null = null
  try {
    status = await postOutside(url, {
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Kinora',
        ...signedHeaders(secret, { id, sentAt, body }),
      },
      body,
      allowedAddresses: config.webhookAllowedAddresses,
      signal,
    })
  } catch (error) {
    // a worker that stops says nothing about the receiver
    if (signal.aborted) return returnTaken(db, id, clock.now())
    problem = problemOf(error)
    log.debug({ webhookId, err: error }, 'webhook delivery failed')
  }
  const isDelivered = status !== null && status >= 200 && status < 300
  // a test shows the outcome of one attempt, and 410 asks to send nothing more
  const isOver = isDelivered || event === 'test' || status === 410
  const now = clock.now()
  const outcome = {
    isDelivered,
    status,
    problem,
    durationMs: Math.round(performance.now() - startedMs),
    nextAttemptAt: isOver ? null : nextAttemptAt(attempts, now),
  }
  await db.transaction().execute(async (transaction) => {
    const pausedOwner = await recordAttempt(transaction, delivery, outcome, {
      now,
      failuresUntilPause: status === 410 ? 1 : failuresUntilPause,
    })
    if (pausedOwner !== undefined) await insertWebhookNotification(transaction, pausedOwner)
  })
}
