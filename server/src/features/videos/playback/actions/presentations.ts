import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../../context/context.ts'
import { type Presentation, planPresentation } from '@kinora/media/plan/hls.ts'
import { TaggedCache } from '@kinora/platform/tagged-cache.ts'
import { videoNotFound } from '../../videos/queries/videos.ts'
import { getPlayable, type PlayableVideo } from '../queries.ts'

/** A video and its presentation. */
export interface PlannedVideo extends PlayableVideo {
  presentation: Presentation
}

/** The format of our ids. Other strings, including those that PostgreSQL cannot store, match no video. */
const idPattern = /^\w{1,64}$/

/** Looks up presentations, and caches them. */
export class Presentations {
  readonly #db: Context['db']
  readonly #cache: TaggedCache<PlannedVideo>
  /** An unchanged video keeps the same presentation object, so that caches by presentation stay valid. */
  readonly #last = new LRUCache<string, PlannedVideo>({ max: 500 })

  constructor({ db, cacheTags }: Pick<Context, 'db' | 'cacheTags'>) {
    this.#db = db
    this.#cache = new TaggedCache(cacheTags, { maxSize: 500 })
  }

  /** Throws `not_found`. */
  async get(videoId: string): Promise<PlannedVideo> {
    if (!idPattern.test(videoId)) throw videoNotFound()
    return this.#cache.get(videoId, ['videos'], () => this.#lookUp(videoId))
  }

  async #lookUp(videoId: string): Promise<PlannedVideo> {
    const video = await getPlayable(this.#db, videoId)
    const last = this.#last.get(videoId)
    const isSame = last?.sourceKey === video.sourceKey && isDeepStrictEqual(last.source, video.source)
    const bitrates = isDeepStrictEqual(last?.bitrates, video.bitrates) ? last?.bitrates : undefined
    const cut = isDeepStrictEqual(last?.cut, video.cut) ? last?.cut : undefined
    const isUnchanged =
      isSame &&
      bitrates &&
      cut !== undefined &&
      last.isOpen === video.isOpen &&
      last.hasAv1 === video.hasAv1 &&
      last.hasStoryboard === video.hasStoryboard
    if (isUnchanged) return last
    const presentation = isSame ? last.presentation : planPresentation(video.source)
    const playing = { ...video, bitrates: bitrates ?? video.bitrates, cut: cut ?? video.cut, presentation }
    this.#last.set(videoId, playing)
    return playing
  }
}
