import type { Readable } from 'node:stream'
import pLimit from 'p-limit'
import { type FileEdit, touches } from '../files/file-edits.ts'
import type { FileRange, MultipartUploads } from './storage.ts'

const concurrentParts = 4

/** Multipart upload of one object, possibly while its file is still growing. */
export class MultipartUpload {
  readonly #uploads: MultipartUploads
  readonly #key: string
  readonly #partBytes: number
  readonly #sent: Promise<string>[] = []
  readonly #limit = pLimit(concurrentParts)
  #isAborted = false
  #upload: Promise<string> | undefined

  constructor(uploads: MultipartUploads, key: string, partBytes = uploads.partBytes) {
    this.#uploads = uploads
    this.#key = key
    this.#partBytes = partBytes
  }

  /** Whether one plain put is enough: the object has the size of a part at most, and no part was sent. */
  fitsInOne(sizeBytes: number): boolean {
    return this.#sent.length === 0 && sizeBytes <= this.#partBytes
  }

  /** Sends every part that is complete by now. A failure is thrown by `complete`. */
  grown(file: string, sizeBytes: number): void {
    while ((this.#sent.length + 1) * this.#partBytes <= sizeBytes) {
      const start = this.#sent.length * this.#partBytes
      this.#send({ file, start, end: start + this.#partBytes - 1 })
    }
  }

  /** Sends the remaining parts and those that were edited after sending, and completes the object. */
  async complete(file: string, sizeBytes: number, edited: readonly FileEdit[] = []): Promise<void> {
    for (const [index, sent] of this.#sent.entries()) {
      const start = index * this.#partBytes
      const range = { file, start, end: start + this.#partBytes - 1 }
      if (touches(edited, range)) this.#sent[index] = this.#sendAgain(index + 1, range, sent)
    }
    this.grown(file, sizeBytes)
    const start = this.#sent.length * this.#partBytes
    if (start < sizeBytes) this.#send({ file, start, end: sizeBytes - 1 })
    await this.#finish()
  }

  /** Sends a stream of unknown length. If it is smaller than a part, nothing is sent and its bytes are returned. */
  async completeFrom(body: Readable): Promise<Buffer | undefined> {
    // parts of large objects have more than 100 MB, so there is one of them in memory
    const part = Buffer.allocUnsafe(this.#partBytes)
    let filled = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      for (let start = 0; start < chunk.length;) {
        const copied = chunk.copy(part, filled, start)
        start += copied
        filled += copied
        if (filled < part.length) continue
        this.#send(part)
        // before the next part overwrites it
        await this.#sent.at(-1)
        filled = 0
      }
    }
    const rest = part.subarray(0, filled)
    if (this.#sent.length === 0) return rest
    if (filled > 0) this.#send(rest)
    await this.#finish()
    return undefined
  }

  /** Deletes the sent parts. If the store cannot be reached, the next sweep deletes them. */
  async abort(): Promise<void> {
    this.#isAborted = true
    const id = await this.#upload?.catch(() => undefined)
    if (id === undefined) return
    // a part that arrives after the abort would not be deleted
    await Promise.allSettled(this.#sent)
    await this.#uploads.abort(this.#key, id).catch(() => undefined)
  }

  #send(body: FileRange | Buffer): void {
    const number = this.#sent.length + 1
    const sent = this.#limit(async () => {
      if (this.#isAborted) throw new Error('the upload was aborted')
      this.#upload ??= this.#uploads.begin(this.#key)
      return this.#uploads.sendPart(this.#key, await this.#upload, number, body)
    })
    // rejections are handled where all parts are awaited
    sent.catch(() => undefined)
    this.#sent.push(sent)
  }

  /** Waits for the first attempt: with two concurrent uploads of one part the store decides which one wins. */
  async #sendAgain(number: number, body: FileRange, before: Promise<string>): Promise<string> {
    await before
    const id = await this.#upload
    if (id === undefined) throw new Error('the upload was never started')
    return this.#uploads.sendPart(this.#key, id, number, body)
  }

  async #finish(): Promise<void> {
    const tags = await Promise.all(this.#sent)
    const id = await this.#upload
    if (id === undefined) throw new Error('the upload was never started')
    await this.#uploads.complete(this.#key, id, tags)
  }
}
