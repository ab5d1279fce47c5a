import { ApiError, call, parseResponse, urlOf } from '@kinora/contract/client.ts'
import { livePieceWaitSeconds } from '@kinora/contract/live/live-pieces.ts'
import {
  type LiveEndReason,
  openBrowserStream,
  type PieceReceipt,
} from '@kinora/contract/live/live-streams.ts'
import { WakeableDelay } from '../../../../lib/browser/wakeable-delay.ts'

/** State of the connection: how much waits, and why. */
export interface SenderState {
  /** Seconds for which the first piece that waits has done so. */
  waitingSeconds: number
  /** The connection is lost, and it is tried again; `sign_in` until somebody signs in in another tab. */
  interruption: 'connection' | 'sign_in' | undefined
}

/** End of a stream: by the server for a reason, by a refusal, or because there was no connection for too long. */
export type SenderEnd = { reason: LiveEndReason } | { error: ApiError }

interface QueuedPiece {
  number: number
  bytes: Uint8Array<ArrayBuffer>
  /** On the clock of `performance.now`. */
  at: number
}

const requestTimeoutMs = 20_000
const retryDelaysMs = [500, 1000, 2000, 3000]
/** Memory of the pieces that wait. */
const maxWaitingBytes = 256 * 1024 * 1024
/** Content type of the bytes of files, which the server reads without parsing. */
const bytesType = 'application/offset+octet-stream'

/** Opens the stream. A page that was reloaded waits until the server has given up the one before. */
export async function openStream(signal: AbortSignal): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return (await call(openBrowserStream, { signal })).id
    } catch (error) {
      const isBusy = error instanceof ApiError && error.reason === 'browser_streams'
      if (!isBusy || attempt >= 7) throw error
      await new Promise((resolve) => setTimeout(resolve, 1000))
      signal.throwIfAborted()
    }
  }
}

/** Whether the same request may succeed later. */
function interruptionOf(error: unknown): SenderState['interruption'] {
  if (!(error instanceof ApiError)) return 'connection'
  if (error.status === 401) return 'sign_in'
  return error.status >= 500 || [408, 429].includes(error.status) ? 'connection' : undefined
}

/** Sends the pieces of a stream one after another, each again until it is acknowledged. */
export class PieceSender {
  readonly #url: string
  readonly #onChange: (state: SenderState) => void
  readonly #onEnd: (end: SenderEnd) => void
  #waiting: QueuedPiece[] = []
  #number = 0
  #state: SenderState = { waitingSeconds: 0, interruption: undefined }
  #hasEnded = false
  #running: Promise<void> | undefined
  readonly #delay = new WakeableDelay()

  constructor(
    id: string,
    { onChange, onEnd }: { onChange: (state: SenderState) => void; onEnd: (end: SenderEnd) => void },
  ) {
    this.#url = `${urlOf(openBrowserStream)}/${id}`
    this.#onChange = onChange
    this.#onEnd = onEnd
  }

  add(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#hasEnded) return
    this.#waiting.push({ number: this.#number, bytes, at: performance.now() })
    this.#number += 1
    const size = this.#waiting.reduce((sum, piece) => sum + piece.bytes.length, 0)
    if (size > maxWaitingBytes) return this.#end({ reason: 'lost' })
    this.#running ??= this.#run().finally(() => (this.#running = undefined))
  }

  /** Resolves when everything is sent, or the stream has ended. */
  async finish(): Promise<void> {
    this.#delay.wake()
    await this.#running
  }

  /** Lets another page continue the stream, such as this one after a reload. */
  leave(): void {
    if (!this.#hasEnded) void fetch(this.#url, { method: 'DELETE', keepalive: true }).catch(() => undefined)
  }

  close(): void {
    this.#hasEnded = true
    this.#waiting = []
    this.#delay.wake()
  }

  async #run(): Promise<void> {
    let attempts = 0
    for (let piece = this.#waiting[0]; piece; piece = this.#waiting[0]) {
      try {
        this.#received(piece, await this.#send(piece))
        attempts = 0
        this.#change(undefined)
      } catch (error) {
        const interruption = interruptionOf(error)
        if (this.#hasEnded) return
        if (!interruption) {
          const refusal = error instanceof ApiError ? error : new ApiError(0, String(error))
          return this.#end({ error: refusal })
        }
        this.#change(interruption)
        if (this.#state.waitingSeconds > livePieceWaitSeconds) return this.#end({ reason: 'lost' })
        await this.#delay.wait(retryDelaysMs[attempts] ?? retryDelaysMs.at(-1) ?? 0)
        attempts += 1
      }
    }
  }

  async #send({ number, bytes }: QueuedPiece): Promise<PieceReceipt> {
    const response = await fetch(`${this.#url}/${number}`, {
      method: 'POST',
      headers: { 'content-type': bytesType },
      body: bytes,
      signal: AbortSignal.timeout(requestTimeoutMs),
    })
    return (await parseResponse(response)) as unknown as PieceReceipt
  }

  #received({ number }: QueuedPiece, { nextPiece, endReason }: PieceReceipt): void {
    if (endReason) return this.#end({ reason: endReason })
    // the server has lost pieces that it had acknowledged
    if (nextPiece <= number) return this.#end({ reason: 'lost' })
    this.#waiting = this.#waiting.filter((piece) => piece.number >= nextPiece)
  }

  #end(end: SenderEnd): void {
    if (this.#hasEnded) return
    this.close()
    this.#onEnd(end)
  }

  #change(interruption: SenderState['interruption']): void {
    const [first] = this.#waiting
    const waitingSeconds = first ? (performance.now() - first.at) / 1000 : 0
    this.#state = { waitingSeconds, interruption }
    this.#onChange(this.#state)
  }
}
