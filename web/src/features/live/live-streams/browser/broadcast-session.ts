import { ApiError } from '@kinora/contract/client.ts'
import type { LiveStream } from '@kinora/contract/live/live-streams.ts'
import { openCodecEncoder } from '../../../../lib/capture/codec-encoder.ts'
import { PieceWriter } from '../../../../lib/capture/piece-writer.ts'
import { Recorder, type RecorderEvent, type RecorderSource } from '../../../../lib/capture/recorder.ts'
import { openStream, PieceSender, type SenderEnd, type SenderState } from './piece-sender.ts'

export type BroadcastPhase =
  | 'setup'
  /** Prepares encoder and connection. */
  | 'starting'
  | 'live'
  /** Sends the rest. */
  | 'ending'
  | 'ended'

/** Message of a broadcast to its user. */
export type BroadcastNotice =
  | { type: 'source_ended'; source: RecorderSource }
  | { type: 'unsupported' | 'encoder' | 'not_begun' }
  | { type: 'refused'; error: ApiError }
  | { type: 'ended'; end: SenderEnd }

/** The stream that a broadcast continues, as it was before. */
export type ContinuedStream = Pick<LiveStream, 'videoId' | 'durationSeconds'>

export interface BroadcastState {
  phase: BroadcastPhase
  continued: ContinuedStream | undefined
  notice: BroadcastNotice | undefined
  sender: SenderState
}

/** Longer sides of the picture that may be chosen. Larger ones need more of the line. */
export const pictureSides = [1920, 1280, 854] as const
export const usualSide = 1280

const first: BroadcastState = {
  phase: 'setup',
  continued: undefined,
  notice: undefined,
  sender: { waitingSeconds: 0, interruption: undefined },
}

/** One broadcast from this browser: from the choice of its sources to its end. */
export class BroadcastSession {
  readonly recorder = new Recorder((event) => this.#onEvent(event))
  readonly #listeners = new Set<() => void>()
  readonly #closed = new AbortController()
  #state = first
  #writer: PieceWriter | undefined
  #sender: PieceSender | undefined

  constructor() {
    this.recorder.limitSize(usualSide)
    // a persisted page may return, and sends the rest
    const leave = (event: PageTransitionEvent) => !event.persisted && this.#sender?.leave()
    addEventListener('pagehide', leave, { signal: this.#closed.signal })
  }

  readonly state = (): BroadcastState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  dismissNotice(): void {
    this.#change({ notice: undefined })
  }

  /** Begins a stream, or continues one that has lost its connection. */
  async begin(continued?: ContinuedStream): Promise<void> {
    if (this.#state.phase !== 'setup') return
    this.#change({ phase: 'starting', notice: undefined, continued })
    try {
      const writer = new PieceWriter((piece) => this.#sender?.add(piece))
      const encoder = await this.recorder.prepare((input) =>
        openCodecEncoder({ ...input, types: ['video/mp4'], onFragment: () => undefined }, writer),
      )
      if (!encoder) return this.#cancel({ type: 'unsupported' })
      const id = await openStream(this.#closed.signal)
      this.#writer = writer
      this.#sender = new PieceSender(id, {
        onChange: (sender) => this.#change({ sender }),
        onEnd: (end) => void this.#end({ type: 'ended', end }),
      })
      await this.recorder.start()
      this.#change({ phase: 'live' })
    } catch (error) {
      if (this.#closed.signal.aborted) return
      this.#cancel(error instanceof ApiError ? { type: 'refused', error } : { type: 'not_begun' })
    }
  }

  /** Ends the stream after its last picture. */
  async stop(notice?: BroadcastNotice): Promise<void> {
    if (this.#state.phase !== 'live') return
    this.#change({ phase: 'ending', notice })
    await this.recorder.stop().catch(() => this.#change({ notice: { type: 'encoder' } }))
    this.#writer?.finish()
    await this.#sender?.finish()
    if (this.state().phase === 'ending') this.#change({ phase: 'ended' })
  }

  /** Releases the devices. A stream that runs ends. */
  close(): void {
    this.#closed.abort()
    if (this.#state.phase === 'live') void this.stop()
    else void this.recorder.close()
  }

  #cancel(notice: BroadcastNotice): void {
    this.recorder.unprepare()
    this.#change({ ...first, notice })
  }

  /** The server has ended it, or takes nothing more. */
  async #end(notice: BroadcastNotice): Promise<void> {
    this.#change({ phase: 'ended', notice })
    await this.recorder.stop().catch(() => undefined)
  }

  #onEvent(event: RecorderEvent): void {
    if (event.type === 'failed') return void this.stop({ type: 'encoder' })
    // the connection decides whether it goes on after a sleep
    if (event.type === 'ended') this.#change({ notice: { type: 'source_ended', source: event.source } })
  }

  #change(changes: Partial<BroadcastState>): void {
    this.#state = { ...this.#state, ...changes }
    for (const listener of this.#listeners) listener()
  }
}
