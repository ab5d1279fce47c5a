import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../../context/context.ts'
import { inSpan } from '@kinora/platform/tracing/tracing.ts'
import { encodeSegment } from '../jobs.ts'
import { isStored } from './encode-segments.ts'
import { segmentKey, segmentNiceness, segmentPriority, type SegmentName } from '../rules.ts'
import { type SegmentResult, segmentEnded, segmentRefused } from '../topics.ts'

/** Result of a wait for a segment. `busy`: too many waits already; `gone`: the client has disconnected. */
export type WaitResult = SegmentResult | 'late' | 'busy' | 'gone'

/** A client that waits for a segment. */
interface Requester {
  address: string
  /** Aborted when the client disconnects. */
  signal?: AbortSignal
}

/** A missing segment and its waiting clients. */
interface Wait {
  name: SegmentName
  requesters: Set<Requester>
  /** Aborted when the last client disconnects. */
  abandoned: AbortController
  result: Promise<WaitResult>
}

/** Interval of storage checks while waiting: notifications can get lost, and another process may withdraw the job. */
const checkMs = 1000
/** A player retries within this time after a 503. Until then its place in the queue is kept. */
const keepMs = 5000
/** Segments that one address may wait for at once: enough for a household. */
const maxPerAddress = 16
const maxPerVideo = 32
/** How long a segment that no attempt can encode is refused: each attempt costs as much as the last. */
const refusedMs = 5 * 60_000
const maxRefused = 10_000

/** Where missing segments wait to be encoded, and how long clients wait for them. */
interface SegmentQueue {
  waitMs(name: SegmentName): number
  enqueue(
    payload: SegmentName & { niceness: number },
    options: { key: string; priority: number; group: string },
  ): Promise<unknown>
  withdraw(key: string): Promise<unknown>
}

const queueOf = ({ config, db, jobs }: Context): SegmentQueue => ({
  waitMs: () => config.segmentWaitSeconds * 1000,
  enqueue: (payload, options) => jobs.enqueue(db, encodeSegment, payload, options),
  withdraw: (key) => jobs.withdraw(encodeSegment, key),
})

/** Requests missing segments, each encoded once for all clients of all processes. */
export class SegmentRequests {
  readonly #context: Context
  readonly #queue: SegmentQueue
  readonly #waits = new Map<string, Wait>()
  /** Keys of segments that were refused lately. */
  readonly #refused = new LRUCache<string, true>({ max: maxRefused, ttl: refusedMs })

  constructor(context: Context, queue = queueOf(context)) {
    this.#context = context
    this.#queue = queue
  }

  /** Learns of refused segments from workers, until the process ends. Without this, each request has them tried again. */
  async followRefusals(): Promise<void> {
    await this.#context.pubsub.subscribe(
      segmentRefused,
      (key) => this.#refused.set(key, true),
      () => undefined,
    )
  }

  /** Resolves when the segment is in storage, when it cannot be encoded, or when the wait times out. */
  async request(name: SegmentName, requester: Requester): Promise<WaitResult> {
    const key = segmentKey(name)
    if (this.#refused.has(key)) return 'unencodable'
    const known = this.#waits.get(key)
    const waiting = this.#countWaits(name.videoId, requester.address)
    if (waiting.ofAddress >= maxPerAddress && !isWaitedForBy(known, requester.address)) return 'busy'
    if (!known && waiting.ofVideo >= maxPerVideo) return 'busy'
    const wait = known ?? this.#begin(name, key, segmentPriority(waiting))
    return this.#join(wait, requester)
  }

  async #join({ requesters, abandoned, result }: Wait, requester: Requester): Promise<WaitResult> {
    const left = new Promise<WaitResult>((resolve) => {
      requester.signal?.addEventListener('abort', () => resolve('gone'), { once: true })
      if (requester.signal?.aborted) resolve('gone')
    })
    requesters.add(requester)
    try {
      return await Promise.race([result, left])
    } finally {
      requesters.delete(requester)
      if (requesters.size === 0) abandoned.abort()
    }
  }

  #countWaits(videoId: string, address: string): { ofVideo: number; ofAddress: number } {
    const waits = [...this.#waits.values()]
    return {
      ofVideo: waits.filter(({ name }) => name.videoId === videoId).length,
      ofAddress: waits.filter((wait) => isWaitedForBy(wait, address)).length,
    }
  }

  #begin(name: SegmentName, key: string, priority: number): Wait {
    const abandoned = new AbortController()
    const result = inSpan('segment wait', { 'kinora.key': key }, async (span) => {
      const outcome = await this.#wait(name, key, priority, abandoned.signal)
      span.setAttribute('kinora.outcome', outcome)
      return outcome
    })
    const wait: Wait = { name, requesters: new Set(), abandoned, result }
    const forget = () => {
      if (this.#waits.get(key) === wait) this.#waits.delete(key)
    }
    abandoned.signal.addEventListener('abort', forget)
    result.then(forget, forget)
    this.#waits.set(key, wait)
    return wait
  }

  async #wait(name: SegmentName, key: string, priority: number, abandoned: AbortSignal): Promise<WaitResult> {
    const { pubsub } = this.#context
    const over = new AbortController()
    let receive: (result: WaitResult) => void = () => undefined
    const received = new Promise<WaitResult>((resolve) => (receive = resolve))
    const unsubscribe = await pubsub.subscribe(
      segmentEnded(key),
      (result) => receive(result),
      // the wait below polls, too
      () => undefined,
    )
    const payload = { ...name, niceness: segmentNiceness(priority) }
    const enqueue = () => this.#queue.enqueue(payload, { key, priority, group: name.videoId })
    try {
      if (abandoned.aborted) return 'gone'
      await enqueue()
      const signal = AbortSignal.any([over.signal, abandoned])
      const result = await Promise.race([
        received,
        this.#watch(name, this.#queue.waitMs(name), signal, enqueue),
      ])
      if (result === 'gone') await this.#withdraw(key)
      if (result === 'late') setTimeout(() => void this.#withdraw(key), keepMs).unref()
      return result
    } finally {
      over.abort()
      unsubscribe()
    }
  }

  /** Withdraws the job of a segment that no client here waits for. Another process that needs it enqueues it again. */
  async #withdraw(key: string): Promise<void> {
    if (this.#waits.has(key)) return
    await this.#queue.withdraw(key).catch((error: unknown) => {
      this.#context.log.debug({ err: error, key }, 'segment job not withdrawn')
    })
  }

  async #watch(
    name: SegmentName,
    waitMs: number,
    signal: AbortSignal,
    enqueue: () => Promise<unknown>,
  ): Promise<WaitResult> {
    const until = performance.now() + waitMs
    while (performance.now() < until && !signal.aborted) {
      // `sleep` rejects only when aborted, which the next line checks.
      await sleep(Math.min(checkMs, until - performance.now()), undefined, { signal }).catch(() => undefined)
      if (signal.aborted) break
      if (await isStored(this.#context, name)) return 'made'
      // does nothing while the job exists
      await enqueue().catch((error: unknown) => {
        this.#context.log.debug({ err: error, key: segmentKey(name) }, 'segment job not enqueued')
      })
    }
    return signal.aborted ? 'gone' : 'late'
  }
}

function isWaitedForBy(wait: Wait | undefined, address: string): boolean {
  return wait !== undefined && [...wait.requesters].some((requester) => requester.address === address)
}
