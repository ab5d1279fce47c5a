import { totalmem } from 'node:os'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { toolsOf } from '@kinora/media/process/ffmpeg.ts'
import type { Context } from '../../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { FairSemaphore } from '@kinora/platform/concurrency/fair-semaphore.ts'
import { type Part, passthroughBytes, type Track } from '../rules.ts'
import type { OpenSources } from './open-sources.ts'
import type { PlannedVideo } from './presentations.ts'

/** Memory of this process for remuxed segments until they are sent, and the share of one address. */
const defaultMaxBytes = Math.min(2 ** 31, Math.max(2 ** 28, totalmem() / 8))
const shareOfAddress = 1 / 4
/** Waiting this long is better than a 503, after which players retry later. */
const defaultWaitMs = 10_000

/**
 * Segments remuxed from the uploaded file. Concurrent requests for one segment share it, and memory for all of them is
 * bounded.
 */
export class PassthroughSegments {
  readonly #tools: ReturnType<typeof toolsOf>
  readonly #sources: OpenSources
  readonly #inFlight = new Map<string, Promise<Buffer>>()
  readonly #memory: FairSemaphore
  readonly #waitMs: number

  constructor(
    { config }: Pick<Context, 'config'>,
    sources: OpenSources,
    { maxBytes, waitMs } = { maxBytes: defaultMaxBytes, waitMs: defaultWaitMs },
  ) {
    this.#waitMs = waitMs
    this.#tools = toolsOf(config)
    this.#sources = sources
    this.#memory = new FairSemaphore({ total: maxBytes, perKey: maxBytes * shareOfAddress })
  }

  /** A segment, in memory until `closed` aborts. Throws `unavailable` if there is no memory for it in time. */
  async get(
    playing: PlannedVideo,
    track: Track,
    part: Part,
    { address, closed }: { address: string; closed: AbortSignal },
  ): Promise<Buffer> {
    const bytes = passthroughBytes(playing.presentation, track, part)
    const over = AbortSignal.any([closed, AbortSignal.timeout(this.#waitMs)])
    const release = await this.#memory.acquire(address, bytes, over).catch((cause: unknown) => {
      throw new AppError(videoErrors.tooManyViewers, {
        retryAfterSeconds: 2,
        cause,
      })
    })
    closed.addEventListener('abort', release, { once: true })
    if (closed.aborted) release()
    return this.#share(playing, track, part)
  }

  #share(playing: PlannedVideo, track: Track, part: Part): Promise<Buffer> {
    const name = track.kind === 'copied_audio' ? track.plan.position : track.kind
    const key = [
      playing.sourceKey,
      playing.presentation.timeline.durationSeconds,
      name,
      fileOfPart(part),
    ].join(' ')
    const segment =
      this.#inFlight.get(key) ?? this.#remux(playing, track, part).finally(() => this.#inFlight.delete(key))
    this.#inFlight.set(key, segment)
    return segment
  }

  /** Remuxing is faster than reading a stored copy. */
  #remux(playing: PlannedVideo, track: Track, part: Part): Promise<Buffer> {
    const { passthrough } = playing.presentation
    return this.#sources.read(playing, (remuxer) => {
      if (track.kind === 'copied_audio') {
        const { plan } = track
        if (typeof part !== 'object')
          return part === 'init' ? remuxer.audioInit(plan) : remuxer.audioSegment(this.#tools, plan, part)
        if ('fromFrame' in part.border) return remuxer.audioBorder(this.#tools, plan, part.border)
      }
      if (typeof part === 'object') throw new TypeError('a border of another track')
      if (!passthrough) throw new Error('passthrough segment of a video without passthrough rendition')
      return part === 'init' ? remuxer.videoInit() : remuxer.videoSegment(passthrough, part)
    })
  }
}

const fileOfPart = (part: Part) => (typeof part === 'object' ? part.name : part)
