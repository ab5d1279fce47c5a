import { LRUCache } from 'lru-cache'
import type { Context } from '../../../../context/context.ts'
import { putTrackUse } from '../queries.ts'
import { RECORD_USE_EVERY_MS } from '../rules.ts'

/** Records which tracks are requested, with at most one statement per track and interval. */
export class TrackUses {
  readonly #context: Pick<Context, 'db' | 'clock' | 'log'>
  readonly #recordedAt = new LRUCache<string, number>({ max: 10_000 })

  constructor(context: Pick<Context, 'db' | 'clock' | 'log'>) {
    this.#context = context
  }

  /** Records a use in the background. A failure affects only the order of eviction. */
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
