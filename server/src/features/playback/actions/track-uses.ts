import { LRUCache } from 'lru-cache'
import type { Context } from '../../../context.ts'
import { putTrackUse } from '../queries.ts'
import { RECORD_USE_EVERY_MS } from '../rules.ts'

/** Remembers which tracks viewers ask for, at the cost of a statement now and then. */
export class TrackUses {
  readonly #context: Pick<Context, 'db' | 'clock' | 'log'>
  readonly #recordedAt = new LRUCache<string, number>({ max: 10_000 })

  constructor(context: Pick<Context, 'db' | 'clock' | 'log'>) {
    this.#context = context
  }

  /** Notes a use; nobody waits for it, and nothing but the order of eviction suffers when it fails. */
  record(videoId: string, track: string): void {
    const key = `${videoId}/${track}`
    const { db, clock, log } = this.#context
    const now = clock.now()
    if (now.getTime() - (this.#recordedAt.get(key) ?? 0) < RECORD_USE_EVERY_MS) return
    this.#recordedAt.set(key, now.getTime())
    putTrackUse(db, videoId, track, now).catch((error: unknown) => {
      log.warn({ err: error, videoId, track }, 'noting a use failed')
    })
  }
}
