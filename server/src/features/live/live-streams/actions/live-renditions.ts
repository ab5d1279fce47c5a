import { LRUCache } from 'lru-cache'
import type { Context } from '../../../../context/context.ts'
import { SegmentRequests, type WaitResult } from '../../../videos/playback/actions/await-segment.ts'
import { isStored } from '../../../videos/playback/actions/encode-segments.ts'
import { encodePart } from '../jobs.ts'
import { liveSegment } from '../rules/tracks.ts'
import type { LiveTimeline } from './live-timelines.ts'

/** Longer than a part takes on a machine that is fast enough, as a share of its length, and less than players have ahead. */
const WAIT_RATIO = 1.5
const MIN_WAIT_MS = 3000
/** While encoders are busy, players get the original at once instead of waiting for each rendition; longer each time. */
const BUSY_MS = 10_000
const MAX_BUSY_MS = 320_000
const MAX_STREAMS = 200
const MAX_PARTS = 2000
/** Viewers of the end of a stream come before those who have rewound. */
const RECENT_PARTS = 5
const RECENT_PRIORITY = 1000

/** Segments of renditions of live streams, each encoded once while somebody watches it. */
export class LiveRenditions {
  readonly #context: Context
  readonly #requests: SegmentRequests
  readonly #busy = new LRUCache<string, true>({ max: MAX_STREAMS, ttl: BUSY_MS })
  /** For how long a stream was busy since a part was encoded in time. */
  readonly #busyMs = new LRUCache<string, number>({ max: MAX_STREAMS })
  readonly #begun = new LRUCache<string, true>({ max: MAX_PARTS })
  /** By stream. */
  readonly #waitMs = new LRUCache<string, number>({ max: MAX_STREAMS })
  readonly #newest = new LRUCache<string, number>({ max: MAX_STREAMS })

  constructor(context: Context) {
    const { db, jobs } = context
    this.#context = context
    this.#requests = new SegmentRequests(context, {
      waitMs: ({ videoId }) => this.#waitMs.get(videoId) ?? MIN_WAIT_MS,
      enqueue: ({ part, ...payload }, { priority, ...options }) => {
        if (typeof part === 'object') throw new TypeError('a border of a live stream')
        return jobs.enqueue(
          db,
          encodePart,
          { ...payload, part },
          {
            ...options,
            priority: priority + (this.#isRecent(payload.videoId, part) ? RECENT_PRIORITY : 0),
          },
        )
      },
      withdraw: (key) => jobs.withdraw(encodePart, key),
    })
  }

  /** Begins to encode the newest part of a stream, which playlists of renditions list once there is another. */
  encodeAhead(stream: LiveTimeline, track: string): void {
    const { videoId, parts, endedAt } = stream
    const newest = parts.at(-1)
    if (!newest || endedAt !== null || this.#busy.has(videoId)) return
    const key = `${videoId} ${track} ${newest.part}`
    if (this.#begun.has(key)) return
    this.#begun.set(key, true)
    this.#note(stream)
    void this.#encode(videoId, track, newest.part, { address: key }).catch((error: unknown) =>
      this.#context.log.debug({ err: error, videoId, track }, 'part of a live stream not encoded ahead'),
    )
  }

  /** Waits until a segment is stored. */
  async get(
    stream: LiveTimeline,
    track: string,
    part: 'init' | number,
    requester: { address: string; signal: AbortSignal },
  ): Promise<WaitResult> {
    const { videoId } = stream
    const askedAt = performance.now()
    this.#note(stream)
    const result = await this.#encode(videoId, track, part, requester)
    if (this.#isRecent(videoId, part)) this.#noteResult(videoId, result)
    this.#context.metrics.segmentWaits.observe(
      { outcome: result, kind: 'live' },
      (performance.now() - askedAt) / 1000,
    )
    return result
  }

  #noteResult(videoId: string, result: WaitResult): void {
    if (result === 'made') this.#busyMs.delete(videoId)
    if (result !== 'late' || this.#busy.has(videoId)) return
    const ttl = Math.min((this.#busyMs.get(videoId) ?? BUSY_MS / 2) * 2, MAX_BUSY_MS)
    this.#busyMs.set(videoId, ttl)
    this.#busy.set(videoId, true, { ttl })
  }

  #note({ videoId, parts }: LiveTimeline): void {
    const recent = parts.slice(-RECENT_PARTS)
    const longest = Math.max(0, ...recent.map(({ startMicros, endMicros }) => endMicros - startMicros))
    this.#waitMs.set(videoId, Math.max(MIN_WAIT_MS, (longest / 1000) * WAIT_RATIO))
    this.#newest.set(videoId, recent.at(-1)?.part ?? 0)
  }

  #isRecent(videoId: string, part: 'init' | number): boolean {
    return part === 'init' || part + RECENT_PARTS > (this.#newest.get(videoId) ?? 0)
  }

  async #encode(
    videoId: string,
    track: string,
    part: 'init' | number,
    requester: { address: string; signal?: AbortSignal },
  ): Promise<WaitResult> {
    const name = liveSegment(videoId, track, part)
    if (await isStored(this.#context, name)) return 'made'
    if (this.#busy.has(videoId)) return 'busy'
    return this.#requests.request(name, requester)
  }
}
