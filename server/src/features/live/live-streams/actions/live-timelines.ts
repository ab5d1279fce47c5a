import { setTimeout as sleep } from 'node:timers/promises'
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
/** Players wait for ten seconds. */
const MAX_WAIT_MS = 8000

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

  /** Waits until a stream has something, has ended or is gone, or players would give up. */
  async waitFor(
    videoId: string,
    hasIt: (timeline: LiveTimeline) => boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const until = performance.now() + MAX_WAIT_MS
    while (!signal.aborted && performance.now() < until) {
      const timeline = await this.get(videoId)
      if (!timeline || timeline.endedAt !== null || hasIt(timeline)) return
      // rejects when aborted
      await sleep(FRESH_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  async #read(videoId: string, known: LiveTimeline | undefined): Promise<LiveTimeline | undefined> {
    const readAt = performance.now()
    // in this order: what ended has no parts after its end
    const stream = await findPlayableStream(this.#db, videoId)
    if (!stream) {
      this.#known.delete(videoId)
      return undefined
    }
    // its recording was joined: parts are elsewhere
    const before = known?.sourceKey === stream.sourceKey ? known.parts : []
    const isDropped = (before[0]?.part ?? 0) < stream.droppedParts
    const parts = isDropped ? before.filter(({ part }) => part >= stream.droppedParts) : before
    const next = await listParts(this.#db, videoId, (before.at(-1)?.part ?? -1) + 1)
    const timeline = { ...stream, parts: next.length > 0 ? [...parts, ...next] : parts }
    this.#known.set(videoId, { timeline, readAt })
    return timeline
  }
}
