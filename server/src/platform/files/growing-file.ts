import { type FileHandle, open, rm } from 'node:fs/promises'
import { Flushing } from './flushing.ts'
import { writeFully } from './write-fully.ts'

/** So much may wait for the disk; what sends faster is held up. */
const maxWaitingBytes = 4 * 1024 * 1024

/**
 * A new file that is written while its bytes come: what comes during one write goes out with the next, without being
 * copied, and to the disk as it grows.
 */
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

  /** Throws nothing: a file that cannot be opened is told of by `room` and `end`. */
  constructor(path: string, onGrowth: (writtenBytes: number) => void) {
    this.path = path
    this.#onGrowth = onGrowth
    this.#opened = open(path, 'wx')
    this.#opened.catch(() => undefined)
  }

  /** Takes bytes for good: their memory is given back once they are written. */
  write(bytes: Buffer): void {
    this.#chunks.push(bytes)
    this.#waitingBytes += bytes.length
    if (this.#writing) return
    this.#writing = this.#writeAll()
    // looked at by `room` and `end`
    this.#writing.catch(() => undefined)
  }

  /** Undefined when there is room for more, or a promise for that; it throws what the disk says. */
  room(): Promise<void> | undefined {
    if (this.#waitingBytes < maxWaitingBytes) return undefined
    this.#room ??= Promise.withResolvers()
    return Promise.race([this.#room.promise, this.#writing])
  }

  /** All bytes have come: waits until they are written, and for the flush that is running. Throws what the disk says. */
  async end(): Promise<void> {
    await this.#writing
    const file = await this.#opened
    await this.#flushing?.end()
    await file.close()
  }

  /** Gives it up, at any time. */
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
      for (const chunk of chunks) giveBack(chunk)
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

const worthGivingBackBytes = 16 * 1024

/**
 * Frees the memory of bytes that nobody needs any more. Left to the garbage collector, which sees only how small the object
 * is that stands for them, a hundred megabytes of a fast upload would wait for it; and memory that is used again is still in
 * the processor's cache. What is part of something larger is not ours alone, and stays.
 */
export function giveBack({ buffer, byteLength }: Buffer): void {
  const isAll = byteLength === buffer.byteLength && byteLength >= worthGivingBackBytes
  if (isAll && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** Answers the bytes of all of them. */
async function writeChunks(file: FileHandle, chunks: Buffer[], position: number): Promise<number> {
  const total = chunks.reduce((sum, { length }) => sum + length, 0)
  const { bytesWritten } = await file.writev(chunks, position)
  if (bytesWritten < total)
    await writeFully(file, Buffer.concat(chunks).subarray(bytesWritten), position + bytesWritten)
  return total
}
