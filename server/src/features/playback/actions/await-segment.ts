import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import { inSpan } from '../../../platform/tracing/tracing.ts'
import { makeSegment } from '../jobs.ts'
import { isStored } from './make-segments.ts'
import { segmentKey, type SegmentName } from '../rules.ts'

/** How a wait for a segment ends. */
export type WaitResult = 'made' | 'failed' | 'late'

/** Signals can get lost; storage is looked into this often while waiting. */
const lookMs = 1000

/** Has missing segments made, each once however many ask for it, here and in other processes. */
export class SegmentRequests {
  readonly #context: Context
  readonly #waiting = new Map<string, Promise<WaitResult>>()

  constructor(context: Context) {
    this.#context = context
  }

  /** Resolves when the segment is in storage, when it cannot be made, or when it is not there in time. */
  request(name: SegmentName): Promise<WaitResult> {
    const key = segmentKey(name)
    const waiting = this.#waiting.get(key) ?? this.#begin(name, key).finally(() => this.#waiting.delete(key))
    this.#waiting.set(key, waiting)
    return waiting
  }

  #begin(name: SegmentName, key: string): Promise<WaitResult> {
    return inSpan('segment wait', { 'kinora.key': key }, async (span) => {
      const result = await this.#wait(name, key)
      span.set({ 'kinora.outcome': result })
      return result
    })
  }

  async #wait(name: SegmentName, key: string): Promise<WaitResult> {
    const { config, db, jobs, signals } = this.#context
    const over = new AbortController()
    let hear: (result: WaitResult) => void = () => undefined
    const heard = new Promise<WaitResult>((resolve) => (hear = resolve))
    const unlisten = await signals.listen(key, (message) => hear(message === 'failed' ? 'failed' : 'made'))
    try {
      await jobs.enqueue(db, makeSegment, name, { key, priority: 1 })
      return await Promise.race([heard, this.#watch(name, config.segmentWaitSeconds * 1000, over.signal)])
    } finally {
      over.abort()
      unlisten()
    }
  }

  async #watch(name: SegmentName, waitMs: number, signal: AbortSignal): Promise<WaitResult> {
    const until = performance.now() + waitMs
    while (performance.now() < until && !signal.aborted) {
      await sleep(Math.min(lookMs, until - performance.now()), undefined, { signal }).catch(() => undefined)
      if (!signal.aborted && (await isStored(this.#context, name))) return 'made'
    }
    return 'late'
  }
}
