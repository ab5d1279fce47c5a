import { LRUCache } from 'lru-cache'
import type { Clock } from '../../clock.ts'
import { AppError } from '../../errors.ts'

interface Count {
  /** In the current window, including the published counts of other processes. */
  taken: number
  /** Not yet published to other processes. */
  unpublished: number
}

/** Maximum number of keys in memory (LRU), so that an attacker cannot fill it. */
const maxKeys = 100_000
/** Fraction of the limit below which a process does not publish its usage of a key. */
const unpublishedShare = 1 / 100
/** Maximum number of keys per message. The rest follows in the next one. */
const maxKeysPerMessage = 200

/**
 * Limit per fixed window and key, counted in memory. Processes exchange their counts (`publish`, `apply`). Together they
 * exceed the limit at most by what arrives between two messages. Windows are aligned to the clock in all processes.
 */
export class RateLimit {
  readonly name: string
  readonly #limit: number
  readonly #windowMs: number
  readonly #clock: Clock
  readonly #publishThreshold: number
  readonly #counts = new LRUCache<string, Count>({ max: maxKeys })
  readonly #pending = new Map<string, Count>()
  /** Number of the current window. */
  #window = 0

  constructor(name: string, limit: number, windowSeconds: number, clock: Clock) {
    this.name = name
    this.#limit = limit
    this.#windowMs = windowSeconds * 1000
    this.#clock = clock
    this.#publishThreshold = Math.max(1, Math.floor(limit * unpublishedShare))
  }

  /** Takes one. Returns 0, or the seconds to wait when the limit is reached. */
  take(key: string): number {
    const now = this.#clock.now().getTime()
    const count = this.#countOf(key, now)
    if (count.taken >= this.#limit) return (this.#windowMs - (now % this.#windowMs)) / 1000
    count.taken += 1
    count.unpublished += 1
    if (count.unpublished === this.#publishThreshold) this.#pending.set(key, count)
    return 0
  }

  /** Takes one. Throws `too_many_requests` when the limit is reached. */
  assertAllowed(key: string): void {
    const retryAfterSeconds = this.take(key)
    if (retryAfterSeconds > 0) {
      throw new AppError('too_many_requests', 'Too many attempts, please try again later', {
        retryAfterSeconds,
      })
    }
  }

  /** Sends the counts above the threshold. Counts stay pending when `send` fails. */
  async publish(send: (counts: string) => Promise<void>): Promise<void> {
    this.#startWindowAt(this.#clock.now().getTime())
    const counts = [...this.#pending]
      .slice(0, maxKeysPerMessage)
      .map(([key, count]) => ({ key, count, taken: count.unpublished }))
    if (counts.length === 0) return
    await send([this.#window, ...counts.map(({ key, taken }) => `${key}=${taken}`)].join(' '))
    for (const { key, count, taken } of counts) {
      count.unpublished -= taken
      if (count.unpublished < this.#publishThreshold && this.#pending.get(key) === count)
        this.#pending.delete(key)
    }
  }

  /** Adds the counts of another process. */
  apply(message: string): void {
    const now = this.#clock.now().getTime()
    const [window, ...counts] = message.split(' ')
    if (Number(window) !== this.#windowAt(now)) return
    for (const [key = '', taken] of counts.map((count) => count.split('='))) {
      this.#countOf(key, now).taken += Number(taken)
    }
  }

  #countOf(key: string, now: number): Count {
    this.#startWindowAt(now)
    const known = this.#counts.get(key)
    if (known) return known
    const count = { taken: 0, unpublished: 0 }
    this.#counts.set(key, count)
    return count
  }

  #windowAt(now: number): number {
    return Math.floor(now / this.#windowMs)
  }

  #startWindowAt(now: number): void {
    const window = this.#windowAt(now)
    if (window === this.#window) return
    this.#window = window
    this.#counts.clear()
    this.#pending.clear()
  }
}
