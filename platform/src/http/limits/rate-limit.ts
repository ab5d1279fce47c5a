import { errors } from '@kinora/contract/errors.ts'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../clock.ts'
import { AppError } from '../../errors.ts'

/** Maximum number of keys in memory (LRU), so that an attacker cannot fill it. */
const maxKeys = 100_000
/** `max` instead of `maxSize` would allocate an entry for every possible key when a process starts. */
export const lruOptions = { maxSize: maxKeys, sizeCalculation: () => 1 }

/** Limit per fixed window and key, counted in the memory of this process. Windows are aligned to the clock. */
export class RateLimit {
  readonly #limit: number
  readonly #windowMs: number
  readonly #clock: Clock
  readonly #taken = new LRUCache<string, number>(lruOptions)
  /** Number of the current window. */
  #window = 0

  constructor(limit: number, windowSeconds: number, clock: Clock) {
    this.#limit = limit
    this.#windowMs = windowSeconds * 1000
    this.#clock = clock
  }

  /** Takes one. Returns 0, or the seconds to wait when the limit is reached. */
  take(key: string): number {
    const now = this.#clock.now().getTime()
    this.#startWindowAt(now)
    const taken = this.#taken.get(key) ?? 0
    if (taken >= this.#limit) return (this.#windowMs - (now % this.#windowMs)) / 1000
    this.#taken.set(key, taken + 1)
    return 0
  }

  /** Takes one. Throws `too_many_requests` when the limit is reached. */
  assertAllowed(key: string): void {
    const retryAfterSeconds = this.take(key)
    if (retryAfterSeconds > 0) {
      throw new AppError(errors.tooManyAttempts, {
        retryAfterSeconds,
      })
    }
  }

  #startWindowAt(now: number): void {
    const window = Math.floor(now / this.#windowMs)
    if (window === this.#window) return
    this.#window = window
    this.#taken.clear()
  }
}
