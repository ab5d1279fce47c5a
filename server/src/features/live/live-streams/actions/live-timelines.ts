import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../../context/context.ts'
import { findPlayableStream, listParts, type LivePart, type PlayableStream } from '../queries/parts.ts'

/** A stream, and its parts so far. */
export interface LiveTimeline extends PlayableStream {
  parts: LivePart[]
  /** Number of parts with sound. */
  sounds: number
}

/** How old a timeline may be: viewers learn of a part this much later. */
const FRESH_MS = 250
const MAX_STREAMS = 200
/** Players wait for ten seconds. */
const MAX_WAIT_MS = 8000

interface Wait {
  hasIt: (timeline: LiveTimeline) => boolean
  resolve: () => void
  until: number
}

interface Known {
  timeline: LiveTimeline
  readAt: number
}

/** Reads the timelines of live streams: however many watch, a process asks a few times a second for the parts that are new. */
export class LiveTimelines {
  readonly #db: Context['db']
  readonly #known = new LRUCache<string, Known>({ max: MAX_STREAMS })
  /** Players that wait, by stream. */
  readonly #waits = new Map<string, Set<Wait>>()
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

  /** Resolves when a stream has something, has ended or is gone, or players would give up. All waits of a stream share its reads. */
  async waitFor(
    videoId: string,
    hasIt: (timeline: LiveTimeline) => boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const waits = this.#waits.get(videoId) ?? new Set<Wait>()
    const wait: Wait = { hasIt, resolve, until: performance.now() + MAX_WAIT_MS }
    waits.add(wait)
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
    if (!this.#waits.has(videoId)) {
      this.#waits.set(videoId, waits)
      void this.#watch(videoId, waits)
    }
    await promise.finally(() => waits.delete(wait))
  }

  async #watch(videoId: string, waits: Set<Wait>): Promise<void> {
    while (waits.size > 0) {
      const timeline = await this.get(videoId).catch(() => undefined)
      const isOver = !timeline || timeline.endedAt !== null
      for (const wait of waits) {
        if (!isOver && performance.now() < wait.until && !wait.hasIt(timeline)) continue
        waits.delete(wait)
        wait.resolve()
      }
      if (waits.size > 0) await sleep(FRESH_MS)
    }
    this.#waits.delete(videoId)
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
    const sounds =
      (isDropped || parts.length === 0 ? countSounds(parts) : (known?.sounds ?? 0)) + countSounds(next)
    const timeline = { ...stream, sounds, parts: next.length > 0 ? [...parts, ...next] : parts }
    this.#known.set(videoId, { timeline, readAt })
    return timeline
  }
}

const countSounds = (parts: readonly LivePart[]) => parts.filter(({ audioBytes }) => audioBytes > 0).length
