import { type FileHandle, open, rm } from 'node:fs/promises'
import { Flushing } from './flushing.ts'
import { writeFully } from './write-fully.ts'

/** Bytes that may wait for the disk before back-pressure applies. */
const maxWaitingBytes = 4 * 1024 * 1024

/** A file that is written while its bytes arrive. Chunks that arrive during a write are written together, without copying. */
export class GrowingFile {
  readonly path: string
  readonly #opened: Promise<FileHandle>
  readonly #onGrowth: (writtenBytes: number) => void
  #chunks: Buffer[] = []
  #waitingBytes = 0
  #writtenBytes = 0
  #writing: Promise<void> | undefined
  #room: PromiseWithResolvers<void> | undefined
  #flushing: Flushing | undefined

  /** Does not throw: `room` and `end` reject if the file cannot be opened. */
  constructor(path: string, onGrowth: (writtenBytes: number) => void) {
    this.path = path
    this.#onGrowth = onGrowth
    this.#opened = open(path, 'wx')
    this.#opened.catch(() => undefined)
  }

  /** Takes ownership of the bytes: their memory is freed once they are written. */
  write(bytes: Buffer): void {
    this.#chunks.push(bytes)
    this.#waitingBytes += bytes.length
    if (this.#writing) return
    this.#writing = this.#writeAll()
    // a failure is thrown by `room` and `end`
    this.#writing.catch(() => undefined)
  }

  /** Undefined if more bytes may be written, otherwise a promise of that. Rejects if writing fails. */
  room(): Promise<void> | undefined {
    if (this.#waitingBytes < maxWaitingBytes) return undefined
    this.#room ??= Promise.withResolvers()
    return Promise.race([this.#room.promise, this.#writing])
  }

  /** Waits until all bytes are written and the running sync has ended. Throws if writing failed. */
  async end(): Promise<void> {
    await this.#writing
    const file = await this.#opened
    await this.#flushing?.end()
    await file.close()
  }

  /** Deletes the file; allowed at any time. */
  async discard(): Promise<void> {
    this.#chunks = []
    await this.#writing?.catch(() => undefined)
    const file = await this.#opened.catch(() => undefined)
    await this.#flushing?.end().catch(() => undefined)
    await file?.close().catch(() => undefined)
    if (file) await rm(this.path, { force: true })
  }

  async #writeAll(): Promise<void> {
    const file = await this.#opened
    const flushing = (this.#flushing ??= new Flushing(file))
    while (this.#chunks.length > 0) {
      const chunks = this.#chunks
      this.#chunks = []
      const bytes = await writeChunks(file, chunks, this.#writtenBytes)
      for (const chunk of chunks) freeMemory(chunk)
      this.#writtenBytes += bytes
      this.#waitingBytes -= bytes
      this.#onGrowth(this.#writtenBytes)
      await flushing.noteBytes(bytes)
      if (this.#waitingBytes < maxWaitingBytes) {
        this.#room?.resolve()
        this.#room = undefined
      }
    }
    this.#writing = undefined
  }
}

const minFreedBytes = 16 * 1024

/**
 * Frees the memory of a buffer. The garbage collector counts only the small wrapper object, so that a hundred megabytes
 * of a fast upload would wait for it. A buffer that is a view of a larger one is not freed, because it may be shared.
 */
export function freeMemory({ buffer, byteLength }: Buffer): void {
  const ownsMemory = byteLength === buffer.byteLength && byteLength >= minFreedBytes
  if (ownsMemory && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** Returns the number of bytes written. */
async function writeChunks(file: FileHandle, chunks: Buffer[], position: number): Promise<number> {
  const total = chunks.reduce((sum, { length }) => sum + length, 0)
  const { bytesWritten } = await file.writev(chunks, position)
  if (bytesWritten < total)
    await writeFully(file, Buffer.concat(chunks).subarray(bytesWritten), position + bytesWritten)
  return total
}
