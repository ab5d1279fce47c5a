import { LRUCache } from 'lru-cache'
import type { Context } from '../../../../context/context.ts'
import { findPlayableStream, listParts, type LivePart, type PlayableStream } from '../queries/parts.ts'

/** A stream, and its parts so far. */
export interface LiveTimeline extends PlayableStream {
  parts: LivePart[]
}

/** How old a timeline may be: viewers learn of a part this much later. */
const FRESH_MS = 250
const MAX_STREAMS = 200

interface Known {
  timeline: LiveTimeline
  readAt: number
}

/** Reads the timelines of live streams: however many watch, a process asks a few times a second for the parts that are new. */
export class LiveTimelines {
  readonly #db: Context['db']
  readonly #known = new LRUCache<string, Known>({ max: MAX_STREAMS })
  readonly #reads = new Map<string, Promise<LiveTimeline | undefined>>()

  constructor({ db }: Pick<Context, 'db'>) {
    this.#db = db
  }

  async get(videoId: string): Promise<LiveTimeline | undefined> {
    const known = this.#known.get(videoId)
    if (known && performance.now() - known.readAt < FRESH_MS) return known.timeline
    const read =
      this.#reads.get(videoId) ??
      this.#read(videoId, known?.timeline).finally(() => this.#reads.delete(videoId))
    this.#reads.set(videoId, read)
    return read
  }

  async #read(videoId: string, known: LiveTimeline | undefined): Promise<LiveTimeline | undefined> {
    const readAt = performance.now()
    // in this order: what ended has no parts after its end
    const stream = await findPlayableStream(this.#db, videoId)
    if (!stream) {
      this.#known.delete(videoId)
      return undefined
    }
    const parts = known?.parts ?? []
    const next = await listParts(this.#db, videoId, (parts.at(-1)?.part ?? -1) + 1)
    const timeline = { ...stream, parts: next.length > 0 ? [...parts, ...next] : parts }
    this.#known.set(videoId, { timeline, readAt })
    return timeline
  }
}
