import { LRUCache } from 'lru-cache'
import type { Clock } from '../../clock.ts'
import { AppError } from '../../errors.ts'

interface Count {
  /** In the present window, as far as known here. */
  taken: number
  /** What other processes have not been told of. */
  untold: number
}

/** So many keys are remembered, the least recently used forgotten first: an attacker cannot fill the memory. */
const maxKeys = 100_000
/** What one process may keep to itself of a key, as a part of the limit: who takes less matters to nobody. */
const untoldPart = 1 / 100
/** So many keys fit into one message between processes; the next one brings the others. */
const maxKeysAtOnce = 200

/**
 * So many per window and key, counted in memory. Processes tell each other what they let through (`tell`, `hear`), so that
 * together they let through the limit and what comes until they have heard of each other. Windows begin at the same moment
 * everywhere, by the clock.
 */
export class RateLimit {
  readonly name: string
  readonly #limit: number
  readonly #windowMs: number
  readonly #clock: Clock
  readonly #tellFrom: number
  readonly #counts = new LRUCache<string, Count>({ max: maxKeys })
  /** Of which the others are to hear. */
  readonly #news = new Map<string, Count>()
  /** The number of the window that is counted. */
  #window = 0

  constructor(name: string, limit: number, windowSeconds: number, clock: Clock) {
    this.name = name
    this.#limit = limit
    this.#windowMs = windowSeconds * 1000
    this.#clock = clock
    this.#tellFrom = Math.max(1, Math.floor(limit * untoldPart))
  }

  /** Takes one. Answers 0, or the seconds to wait when there is none left. */
  take(key: string): number {
    const now = this.#clock.now().getTime()
    const count = this.#countOf(key, now)
    if (count.taken >= this.#limit) return (this.#windowMs - (now % this.#windowMs)) / 1000
    count.taken += 1
    count.untold += 1
    if (count.untold === this.#tellFrom) this.#news.set(key, count)
    return 0
  }

  /** Takes one. Throws `too_many_requests` when there is none left. */
  demand(key: string): void {
    const retryAfterSeconds = this.take(key)
    if (retryAfterSeconds > 0) {
      throw new AppError('too_many_requests', 'Too many attempts, please try again later', {
        retryAfterSeconds,
      })
    }
  }

  /** Sends others what was taken here of those who take much; what could not be sent is told the next time. */
  async tell(send: (news: string) => Promise<void>): Promise<void> {
    this.#turnTo(this.#clock.now().getTime())
    const news = [...this.#news]
      .slice(0, maxKeysAtOnce)
      .map(([key, count]) => ({ key, count, taken: count.untold }))
    if (news.length === 0) return
    await send([this.#window, ...news.map(({ key, taken }) => `${key}=${taken}`)].join(' '))
    for (const { key, count, taken } of news) {
      count.untold -= taken
      if (count.untold < this.#tellFrom && this.#news.get(key) === count) this.#news.delete(key)
    }
  }

  /** Counts what another process has sent. */
  hear(news: string): void {
    const now = this.#clock.now().getTime()
    const [window, ...counts] = news.split(' ')
    if (Number(window) !== this.#windowAt(now)) return
    for (const [key = '', taken] of counts.map((count) => count.split('='))) {
      this.#countOf(key, now).taken += Number(taken)
    }
  }

  #countOf(key: string, now: number): Count {
    this.#turnTo(now)
    const known = this.#counts.get(key)
    if (known) return known
    const count = { taken: 0, untold: 0 }
    this.#counts.set(key, count)
    return count
  }

  #windowAt(now: number): number {
    return Math.floor(now / this.#windowMs)
  }

  #turnTo(now: number): void {
    const window = this.#windowAt(now)
    if (window === this.#window) return
    this.#window = window
    this.#counts.clear()
    this.#news.clear()
  }
}
