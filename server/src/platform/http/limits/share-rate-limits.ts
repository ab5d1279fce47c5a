import type { Kysely } from 'kysely'
import type { PubSub, Topic } from '../../db/pubsub.ts'
import { newId } from '../../ids.ts'
import type { Log } from '../../log.ts'
import type { RateLimit } from './rate-limit.ts'

/** Counts of one limit in one process; see `RateLimit.publish`. */
export interface RateCounts {
  processId: string
  limit: string
  counts: string
}

const publishIntervalMs = 1000

/**
 * Shares the counts of these limits between all processes, once a second. Without the database each process counts
 * alone. Returns a function that stops sharing.
 */
export async function shareRateLimits<Database>(
  limits: readonly RateLimit[],
  topic: Topic<RateCounts>,
  { db, pubsub, log }: { db: Kysely<Database>; pubsub: PubSub; log: Log },
): Promise<() => void> {
  const processId = newId()
  const unsubscribe = await pubsub.subscribe(topic, (taken) => {
    if (taken.processId !== processId) limits.find(({ name }) => name === taken.limit)?.apply(taken.counts)
  })
  const publishAll = async () => {
    for (const limit of limits) {
      await limit.publish((counts) => pubsub.publish(db, topic, { processId, limit: limit.name, counts }))
    }
  }
  let isPublishing = false
  const timer = setInterval(() => {
    if (isPublishing) return
    isPublishing = true
    publishAll()
      // The counts stay pending until the next interval.
      .catch((error: unknown) => log.debug({ err: error }, 'rate limits: failed to publish counts'))
      .finally(() => (isPublishing = false))
  }, publishIntervalMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    unsubscribe()
  }
}
