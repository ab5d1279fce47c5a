import { setTimeout as delay } from 'node:timers/promises'
import { errors } from '@kinora/contract/errors.ts'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../errors.ts'
import { lruOptions } from './rate-limit.ts'

const minuteMs = 60_000

/**
 * Lets `perMinute` calls of each key through immediately; more are slowed to that rate, and refused with `too_many_requests` when
 * they would wait longer than `maxWaitMs`. Counted by each process.
 */
export class SlowDown {
  readonly #intervalMs: number
  readonly #maxWaitMs: number
  /** Per key, when its latest call would be due at an even rate. */
  readonly #dueAt = new LRUCache<string, number>(lruOptions)

  constructor({ perMinute, maxWaitMs }: { perMinute: number; maxWaitMs: number }) {
    this.#intervalMs = minuteMs / perMinute
    this.#maxWaitMs = maxWaitMs
  }

  async pass(key: string): Promise<void> {
    const now = performance.now()
    const dueAt = Math.max(now, this.#dueAt.get(key) ?? 0) + this.#intervalMs
    const waitMs = dueAt - now - minuteMs
    if (waitMs > this.#maxWaitMs) {
      throw new AppError(errors.tooManyAttempts, {
        retryAfterSeconds: waitMs / 1000,
      })
    }
    this.#dueAt.set(key, dueAt)
    if (waitMs > 0) await delay(waitMs)
  }
}
