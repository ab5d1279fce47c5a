import { LRUCache } from 'lru-cache'
import type { Context } from '../../../context.ts'
import { type Presentation, planPresentation } from '../../../media/hls.ts'
import { videoNotFound } from '../../videos/queries/videos.ts'
import { getPlayable, type PlayableVideo } from '../queries.ts'

/** A video and how it is played. */
export interface Playing extends PlayableVideo {
  presentation: Presentation
}

/** Ids are ours; anything else, such as what no database stores, names no video. */
const idPattern = /^\w{1,64}$/

/** After so long a deleted video is not played any more. */
const freshMs = 5000

/** Looks up how videos are played, remembering the answers for some seconds. */
export class Presentations {
  readonly #db: Context['db']
  readonly #known = new LRUCache<string, Playing>({ max: 500, ttl: freshMs })
  /** How often something may have changed: what was asked for before that is kept for nobody. */
  #changes = 0

  constructor({ db }: Pick<Context, 'db'>) {
    this.#db = db
  }

  /** Throws `not_found`. */
  async get(videoId: string): Promise<Playing> {
    const known = this.#known.get(videoId)
    if (known) return known
    if (!idPattern.test(videoId)) throw videoNotFound()
    const changesBefore = this.#changes
    const video = await getPlayable(this.#db, videoId)
    const playing = { ...video, presentation: planPresentation(video.source) }
    if (this.#changes === changesBefore) this.#known.set(videoId, playing)
    return playing
  }

  /** Any of them may have been deleted or taken down. */
  forgetAll(): void {
    this.#changes += 1
    this.#known.clear()
  }

  /** What could not be made may be gone: the next one looks anew. */
  forget(videoId: string): void {
    this.#changes += 1
    this.#known.delete(videoId)
  }
}
