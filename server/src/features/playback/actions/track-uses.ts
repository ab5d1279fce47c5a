import { LRUCache } from 'lru-cache'
import type { Context } from '../../../context.ts'
import { putTrackUse } from '../queries.ts'
import { NOTE_USE_EVERY_MS } from '../rules.ts'

/** Remembers which tracks viewers ask for, at the cost of a statement now and then. */
export class TrackUses {
  readonly #context: Pick<Context, 'db' | 'clock' | 'log'>
  readonly #noted = new LRUCache<string, true>({ max: 10_000, ttl: NOTE_USE_EVERY_MS })

  constructor(context: Pick<Context, 'db' | 'clock' | 'log'>) {
    this.#context = context
  }

  /** Notes a use; nobody waits for it, and nothing but the order of eviction suffers when it fails. */
  note(videoId: string, track: string): void {
    const key = `${videoId}/${track}`
    if (this.#noted.has(key)) return
    this.#noted.set(key, true)
    const { db, clock, log } = this.#context
    putTrackUse(db, videoId, track, clock.now()).catch((error: unknown) => {
      log.warn({ err: error, videoId, track }, 'noting a use failed')
    })
  }
}
