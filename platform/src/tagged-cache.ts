import { LRUCache } from 'lru-cache'

/** Upper bound of staleness. Changes by other processes show after at most this time. */
const defaultMaxAgeMs = 1000

/** @public The application declares its tags here: see `cache-tags.ts`. */
export interface KnownTags {}

/** Names something that cached values show and that writes change. */
export type CacheTag = keyof KnownTags

/** When this process last changed what the values of a tag show. */
export class CacheTags {
  readonly #clearedAt = new Map<CacheTag, number>()

  /** Makes all values with these tags stale. Call it between the commit of a write and its response. */
  clear(tags: readonly CacheTag[]): void {
    for (const tag of tags) this.#clearedAt.set(tag, performance.now())
  }

  isClearedSince(tags: readonly CacheTag[], time: number): boolean {
    return tags.some((tag) => (this.#clearedAt.get(tag) ?? -Infinity) >= time)
  }
}

interface Entry<Value> {
  value: Value
  tags: readonly CacheTag[]
  /** When its read began. */
  startedAt: number
}

interface CacheOptions<Value> {
  maxSize: number
  /** Size of a value and its key in units of `maxSize`; 1 by default. */
  sizeOf?: (value: Value, key: string) => number
  maxAgeMs?: number
  onGet?: (isHit: boolean) => void
}

interface RunningRead<Value> extends Entry<Promise<Value>> {
  /** The read after this one, for requests that came when this one was already stale. */
  next?: Promise<Value>
}

/**
 * Cache of what was read from the database. A value is fresh while its read began less than `maxAgeMs` ago (a second by
 * default) and after the last `clear` of each of its tags. Of each key, at most one read runs and one waits, however many requests wait.
 */
export class TaggedCache<Value> {
  readonly #tags: CacheTags
  readonly #entries: LRUCache<string, Entry<Value>>
  readonly #running = new Map<string, RunningRead<Value>>()
  readonly #maxAgeMs: number
  readonly #onGet: (isHit: boolean) => void

  constructor(
    tags: CacheTags,
    { maxSize, sizeOf = () => 1, maxAgeMs = defaultMaxAgeMs, onGet = () => {} }: CacheOptions<Value>,
  ) {
    this.#tags = tags
    this.#entries = new LRUCache({ maxSize, sizeCalculation: ({ value }, key) => sizeOf(value, key) })
    this.#maxAgeMs = maxAgeMs
    this.#onGet = onGet
  }

  /** Whether `get` returns a stored value. */
  has(key: string): boolean {
    const entry = this.#entries.peek(key)
    return entry !== undefined && this.#isFresh(entry)
  }

  /** Returns a fresh value: a stored one, that of a running read, or a new one. Errors are not stored. */
  async get(key: string, tags: readonly CacheTag[], read: () => Promise<Value>): Promise<Value> {
    const entry = this.#entries.get(key)
    const fresh = entry && this.#isFresh(entry) ? entry : undefined
    this.#onGet(fresh !== undefined)
    if (fresh) return fresh.value
    const running = this.#running.get(key)
    if (!running) return this.#read(key, tags, read)
    if (this.#isFresh(running)) return running.value
    const again = () => this.get(key, tags, read)
    running.next ??= running.value.then(again, again)
    return running.next
  }

  async #read(key: string, tags: readonly CacheTag[], read: () => Promise<Value>): Promise<Value> {
    const startedAt = performance.now()
    const running = { value: read(), tags, startedAt }
    this.#running.set(key, running)
    try {
      const value = await running.value
      this.#entries.set(key, { value, tags, startedAt })
      return value
    } finally {
      this.#running.delete(key)
    }
  }

  #isFresh({ tags, startedAt }: Entry<unknown>): boolean {
    return performance.now() - startedAt < this.#maxAgeMs && !this.#tags.isClearedSince(tags, startedAt)
  }
}
