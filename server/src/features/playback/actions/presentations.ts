import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../context.ts'
import { type Presentation, planPresentation } from '../../../media/plan/hls.ts'
import { videoNotFound } from '../../videos/queries/videos.ts'
import { getPlayable, type PlayableVideo } from '../queries.ts'

/** A video and its presentation. */
export interface Playing extends PlayableVideo {
  presentation: Presentation
}

/** The format of our ids. Other strings, including those that PostgreSQL cannot store, match no video. */
const idPattern = /^\w{1,64}$/

/** Notifications can get lost: a change without one is noticed after this time. */
const freshMs = 1000

/** Looks up presentations, and caches them for a short time. */
export class Presentations {
  readonly #db: Context['db']
  /** Includes pending lookups: concurrent requests share one database query. */
  readonly #known = new LRUCache<string, Promise<Playing>>({ max: 500, ttl: freshMs })

  /** An unchanged video keeps the same presentation object, so that caches by presentation stay valid. */
  readonly #last = new LRUCache<string, Playing>({ max: 500 })

  constructor({ db }: Pick<Context, 'db'>) {
    this.#db = db
  }

  /** Throws `not_found`. */
  async get(videoId: string): Promise<Playing> {
    const known = this.#known.get(videoId)
    if (known) return known
    if (!idPattern.test(videoId)) throw videoNotFound()
    const asked = this.#lookUp(videoId)
    this.#known.set(videoId, asked)
    return asked.catch((error: unknown) => {
      if (this.#known.peek(videoId) === asked) this.#known.delete(videoId)
      throw error
    })
  }

  async #lookUp(videoId: string): Promise<Playing> {
    const video = await getPlayable(this.#db, videoId)
    const last = this.#last.get(videoId)
    const isSame = last?.sourceKey === video.sourceKey && isDeepStrictEqual(last.source, video.source)
    if (isSame && last.isOpen === video.isOpen) return last
    const presentation = isSame ? last.presentation : planPresentation(video.source)
    const playing = { ...video, presentation }
    this.#last.set(videoId, playing)
    return playing
  }

  /** Any of them may have been deleted or taken down. */
  forgetAll(): void {
    this.#known.clear()
  }

  /** A failed lookup is not cached, because the video may have been deleted. */
  forget(videoId: string): void {
    this.#known.delete(videoId)
  }
}
