import { ApiError, call, parseResponse } from '@kinora/contract/client.ts'
import { uploadsPath } from '@kinora/contract/constants.ts'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import { saveUploadDraft } from '@kinora/contract/videos/uploads.ts'
import { WakeableDelay } from '../../../../lib/browser/wakeable-delay.ts'

/** At most this many bytes in one request: below the limits of common proxies. */
const maxRequestBytes = 32 * 1024 * 1024
/** Pieces are sent at least this often, so that a closed tab loses little. */
const sendEveryMs = 3000
const requestTimeoutMs = 60_000
const retryDelaysMs = [1000, 2000, 4000, 8000, 15_000]

const tusHeaders = { 'tus-resumable': '1.0.0' }
const bytesType = 'application/offset+octet-stream'
const urlOf = (id: string) => `${apiPrefix}${uploadsPath}/${id}`
const encoded = (text: string) => btoa(String.fromCodePoint(...new TextEncoder().encode(text)))

/** State of an upload: what the server has, what waits, and why it waits. */
export interface GrowingState {
  sentBytes: number
  pendingBytes: number
  /** The connection is lost, and it is tried again; `sign_in` until somebody signs in in another tab. */
  interruption: 'connection' | 'sign_in' | undefined
  /** The server takes no more, for example because a quota is full. */
  refusal: ApiError | undefined
}

/** Creates an upload of unknown length, which is offered to its owner after an interruption; returns its id. */
export async function createGrowingUpload(
  file: { name: string; type: string },
  title: string,
): Promise<string> {
  const response = await fetch(`${apiPrefix}${uploadsPath}`, {
    method: 'POST',
    headers: {
      ...tusHeaders,
      'upload-defer-length': '1',
      'upload-metadata': `filename ${encoded(file.name)},filetype ${encoded(file.type)}`,
    },
  })
  await parseResponse(response.clone())
  const id = response.headers.get('location')?.split('/').at(-1) ?? ''
  await call(saveUploadDraft, { params: { id }, body: { title, description: '', visibility: 'private' } })
  return id
}

/** Number of bytes of an upload that the server has. */
async function offsetOf(id: string): Promise<number> {
  const response = await fetch(urlOf(id), { method: 'HEAD', headers: tusHeaders, signal: timeout() })
  if (!response.ok) throw new ApiError(response.status, '')
  return Number(response.headers.get('upload-offset'))
}

/** Sends bytes, and returns the offset after them. With a length, the upload ends there. */
async function append(id: string, offset: number, body: Blob, length?: number): Promise<number> {
  const response = await fetch(urlOf(id), {
    method: 'PATCH',
    headers: {
      ...tusHeaders,
      'upload-offset': String(offset),
      'content-type': bytesType,
      ...(length === undefined ? {} : { 'upload-length': String(length) }),
    },
    body,
    signal: timeout(),
  })
  await parseResponse(response.clone())
  return Number(response.headers.get('upload-offset'))
}

const timeout = () => AbortSignal.timeout(requestTimeoutMs)

/** Ends an upload where it is, so that it can be published. Does nothing if it has ended already. */
export async function endUpload(id: string): Promise<void> {
  const offset = await offsetOf(id)
  await append(id, offset, new Blob([]), offset).catch((error: unknown) => {
    // Its length was declared before, and the response was lost.
    if (!(error instanceof ApiError && error.status === 400)) throw error
  })
}

/** Whether the same request may succeed later. A full disk of the server ends a recording, like a full quota. */
function interruptionOf(error: unknown): GrowingState['interruption'] {
  if (!(error instanceof ApiError)) return 'connection'
  if (error.status === 401) return 'sign_in'
  if (error.reason.startsWith('disk_')) return undefined
  return error.status >= 500 || [408, 409, 423, 429].includes(error.status) ? 'connection' : undefined
}

/** Sends a file while it grows. Pieces wait in memory, and are sent again after a lost connection. */
export class GrowingUpload {
  readonly id: string
  readonly #onChange: (state: GrowingState) => void
  #state: GrowingState = { sentBytes: 0, pendingBytes: 0, interruption: undefined, refusal: undefined }
  #pending: Blob[] = []
  #isEnding = false
  #running: Promise<void> | undefined
  readonly #delay = new WakeableDelay()

  constructor(id: string, onChange: (state: GrowingState) => void) {
    this.id = id
    this.#onChange = onChange
  }

  /** Adds what follows, to be sent. */
  add(piece: Blob): void {
    this.#pending.push(piece)
    this.#change({ pendingBytes: this.#state.pendingBytes + piece.size })
    if (!this.#state.refusal) this.#start()
  }

  /** Sends the rest and ends the upload. Rejects with ApiError if the server refuses it; call it again to retry. */
  async finish(): Promise<void> {
    this.#isEnding = true
    this.#change({ refusal: undefined })
    this.#start()
    this.#delay.wake()
    await this.#running
    if (this.#state.refusal) throw this.#state.refusal
    await endUpload(this.id)
  }

  /** Ends the upload without what was not sent. */
  async finishAsSent(): Promise<void> {
    this.#pending = []
    this.#isEnding = true
    this.#change({ pendingBytes: 0, refusal: undefined })
    this.#delay.wake()
    await this.#running
    await endUpload(this.id)
  }

  #start(): void {
    this.#running ??= this.#run().finally(() => (this.#running = undefined))
  }

  async #run(): Promise<void> {
    let attempts = 0
    while (this.#pending.length > 0) {
      if (!this.#isEnding && attempts === 0) await this.#delay.wait(sendEveryMs)
      const piece = new Blob(this.#pending).slice(0, maxRequestBytes)
      try {
        const { sentBytes } = this.#state
        this.#received(
          attempts > 0 ? await this.#afterInterruption(piece) : await append(this.id, sentBytes, piece),
        )
        attempts = 0
        this.#change({ interruption: undefined })
      } catch (error) {
        const interruption = interruptionOf(error)
        if (!interruption) {
          const refusal = error instanceof ApiError ? error : new ApiError(0, String(error))
          return this.#change({ interruption: undefined, refusal })
        }
        this.#change({ interruption })
        await this.#delay.wait(retryDelaysMs[attempts] ?? retryDelaysMs.at(-1) ?? 0)
        attempts += 1
      }
    }
  }

  /** The server may have received a part of the request that was interrupted. */
  async #afterInterruption(piece: Blob): Promise<number> {
    const { sentBytes } = this.#state
    const offset = await offsetOf(this.id)
    if (offset < sentBytes) throw new ApiError(410, '')
    return offset > sentBytes ? offset : append(this.id, sentBytes, piece)
  }

  #received(offset: number): void {
    const rest = new Blob(this.#pending).slice(offset - this.#state.sentBytes)
    this.#pending = rest.size > 0 ? [rest] : []
    this.#change({ sentBytes: offset, pendingBytes: rest.size })
  }

  #change(changes: Partial<GrowingState>): void {
    this.#state = { ...this.#state, ...changes }
    this.#onChange(this.#state)
  }
}
