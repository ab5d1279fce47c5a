import type { Readable } from 'node:stream'
import { type FileEdit, touches } from '../files/file-edits.ts'
import { Semaphore } from '../concurrency/semaphore.ts'
import type { FileRange, Parts } from './storage.ts'

const partsAtOnce = 4

/** One object that is sent in parts, also while its file is still growing. Nothing is to be seen of it before the end. */
export class PartedPut {
  readonly #parts: Parts
  readonly #key: string
  readonly #sent: Promise<string>[] = []
  readonly #semaphore = new Semaphore(partsAtOnce)
  #isGivenUp = false
  #upload: Promise<string> | undefined

  constructor(parts: Parts, key: string) {
    this.#parts = parts
    this.#key = key
  }

  /** Whether an object of this size needs no parts, and none was sent. */
  fitsInOne(sizeBytes: number): boolean {
    return this.#sent.length === 0 && sizeBytes <= this.#partBytes
  }

  /** Sends every part that is whole by now. A failure comes to light when the object is completed. */
  grown(file: string, sizeBytes: number): void {
    while ((this.#sent.length + 1) * this.#partBytes <= sizeBytes) {
      const start = this.#sent.length * this.#partBytes
      this.#send({ file, start, end: start + this.#partBytes - 1 })
    }
  }

  /** Sends what is left of the whole file, and what was edited since it was sent; makes the object of the parts. */
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

  /**
   * Sends a stream whose length nobody knows, a part at a time. One that is smaller than a part is answered instead,
   * and nothing was sent.
   */
  async completeFrom(body: Readable): Promise<Buffer | undefined> {
    let chunks: Buffer[] = []
    let size = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      while (size >= this.#partBytes) {
        const bytes = Buffer.concat(chunks)
        this.#send(bytes.subarray(0, this.#partBytes))
        // one part in memory at a time
        await this.#sent.at(-1)
        chunks = [bytes.subarray(this.#partBytes)]
        size -= this.#partBytes
      }
    }
    const rest = Buffer.concat(chunks)
    if (this.#sent.length === 0) return rest
    if (size > 0) this.#send(rest)
    await this.#finish()
    return undefined
  }

  /** Deletes what was sent; a store that cannot be reached keeps it until the next sweep. */
  async abort(): Promise<void> {
    this.#isGivenUp = true
    const id = await this.#upload?.catch(() => undefined)
    if (id === undefined) return
    // a part that arrives after the abort would stay
    await Promise.allSettled(this.#sent)
    await this.#parts.abort(this.#key, id).catch(() => undefined)
  }

  get #partBytes(): number {
    return this.#parts.partBytes
  }

  #send(body: FileRange | Buffer): void {
    const number = this.#sent.length + 1
    const sent = this.#semaphore.run(async () => {
      if (this.#isGivenUp) throw new Error('the upload was given up')
      this.#upload ??= this.#parts.begin(this.#key)
      return this.#parts.send(this.#key, await this.#upload, number, body)
    })
    // looked at when all are awaited
    sent.catch(() => undefined)
    this.#sent.push(sent)
  }

  /** Two senders of one part would leave open which of them counts. */
  async #sendAgain(number: number, body: FileRange, before: Promise<string>): Promise<string> {
    await before
    const id = await this.#upload
    if (id === undefined) throw new Error('there is nothing to send again')
    return this.#parts.send(this.#key, id, number, body)
  }

  async #finish(): Promise<void> {
    const tags = await Promise.all(this.#sent)
    const id = await this.#upload
    if (id === undefined) throw new Error('there is nothing to complete')
    await this.#parts.complete(this.#key, id, tags)
  }
}
