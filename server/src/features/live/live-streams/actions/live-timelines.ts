import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../../context/context.ts'
import { PARTS_WITH_CHUNKS } from '../rules/playlists.ts'
import { streamGrew } from '../topics.ts'
import { listChunks, type LiveChunk } from '../queries/chunks.ts'
import { findPlayableStream, listParts, type LivePart, type PlayableStream } from '../queries/parts.ts'

/** A stream, and its parts so far. */
export interface LiveTimeline extends PlayableStream {
  parts: LivePart[]
  /** Number of parts with sound. */
  sounds: number
  /** Of the last parts and of the next one. Another array once something is new. */
  chunks: readonly LiveChunk[]
}

/** How old a timeline may be. Where no notification arrives, viewers learn of a part this much later. */
const FRESH_MS = 250
const MAX_STREAMS = 200
/** Timelines that nobody asks for are dropped after this time, and the bytes of their chunks with them. */
const KEPT_MS = 30_000
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

/** Reads the timelines of live streams: however many watch, a process asks for what is new when it is there. */
export class LiveTimelines {
  readonly #context: Pick<Context, 'db' | 'pubsub'>
  readonly #known = new LRUCache<string, Known>({ max: MAX_STREAMS, ttl: KEPT_MS, ttlAutopurge: true })
  /** Players that wait, by stream. */
  readonly #waits = new Map<string, Set<Wait>>()
  readonly #reads = new Map<string, Promise<LiveTimeline | undefined>>()
  /** Ends the pause of those that wait, by stream. */
  readonly #wakes = new Map<string, () => void>()
  /** When streams grew. */
  readonly #grewAt = new LRUCache<string, number>({ max: MAX_STREAMS })
  #subscription: Promise<() => void> | undefined

  constructor(context: Pick<Context, 'db' | 'pubsub'>) {
    this.#context = context
  }

  close(): void {
    this.#subscription?.then(
      (unsubscribe) => unsubscribe(),
      () => undefined,
    )
  }

  async get(videoId: string): Promise<LiveTimeline | undefined> {
    const known = this.#known.get(videoId)
    if (known && this.#isFresh(videoId, known)) return known.timeline
    const read =
      this.#reads.get(videoId) ??
      this.#read(videoId, known?.timeline).finally(() => this.#reads.delete(videoId))
    this.#reads.set(videoId, read)
    return read
  }

  #isFresh(videoId: string, { readAt }: Known): boolean {
    return performance.now() - readAt < FRESH_MS && readAt > (this.#grewAt.get(videoId) ?? 0)
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
    this.#subscribe()
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
      if (waits.size > 0) await this.#pause(videoId)
    }
    this.#waits.delete(videoId)
  }

  /** Waits until a stream has grown, or a notification may be missing. */
  async #pause(videoId: string): Promise<void> {
    const known = this.#known.get(videoId)
    // it has grown while it was read
    if (known && known.readAt <= (this.#grewAt.get(videoId) ?? 0)) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wakes.set(videoId, resolve)
    await Promise.race([promise, sleep(FRESH_MS)])
    this.#wakes.delete(videoId)
  }

  /** Learns of what is new without asking for it. Where that fails, it asks. */
  #subscribe(): void {
    const note = (videoId: string) => {
      if (!this.#known.has(videoId)) return
      this.#grewAt.set(videoId, performance.now())
      this.#wakes.get(videoId)?.()
    }
    this.#subscription ??= this.#context.pubsub.subscribe(streamGrew, note, () => undefined)
    this.#subscription.catch(() => (this.#subscription = undefined))
  }

  async #read(videoId: string, known: LiveTimeline | undefined): Promise<LiveTimeline | undefined> {
    const { db } = this.#context
    const readAt = performance.now()
    // in this order: what ended has no parts after its end
    const stream = await findPlayableStream(db, videoId)
    if (!stream) {
      this.#known.delete(videoId)
      return undefined
    }
    // its recording was joined: parts are elsewhere
    const before = known?.sourceKey === stream.sourceKey ? known.parts : []
    const isDropped = (before[0]?.part ?? 0) < stream.droppedParts
    const parts = isDropped ? before.filter(({ part }) => part >= stream.droppedParts) : before
    const last = before.at(-1)?.part ?? -1
    const next = await listParts(db, videoId, last + 1)
    // also of one part more: some players have the playlist before
    const listed = stream.endedAt === null ? await listChunks(db, videoId, last - PARTS_WITH_CHUNKS) : []
    const sounds =
      (isDropped || parts.length === 0 ? countSounds(parts) : (known?.sounds ?? 0)) + countSounds(next)
    const shown = next.length > 0 ? [...parts, ...next] : parts
    const chunks = keepKnown(listed, shown === known?.parts ? known.chunks : [...(known?.chunks ?? [])])
    const timeline = { ...stream, sounds, parts: shown, chunks }
    this.#known.set(videoId, { timeline, readAt })
    return timeline
  }
}

const countSounds = (parts: readonly LivePart[]) => parts.filter(({ audioBytes }) => audioBytes > 0).length

/** The chunks with the objects that are known, to which others have added bytes. The same array if all are known. */
function keepKnown(listed: LiveChunk[], known: readonly LiveChunk[]): readonly LiveChunk[] {
  const isSame = (a: LiveChunk, b: LiveChunk) =>
    a.part === b.part && a.chunk === b.chunk && a.receivedAt.getTime() === b.receivedAt.getTime()
  const chunks = listed.map((each) => known.find((other) => isSame(other, each)) ?? each)
  return chunks.length === known.length && chunks.every((each, i) => each === known[i]) ? known : chunks
}
