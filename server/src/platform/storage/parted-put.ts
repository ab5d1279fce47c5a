import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { Turns } from '../turns.ts'

/** What S3 allows, and what some stores ask for: up to ten thousand parts, all but the last of one size. */
const maxParts = 10_000
const smallestPartBytes = 16 * 1024 * 1024
const partsAtOnce = 4
const attemptsPerPart = 3

/** One object that is sent in parts, also while its file is still growing. Nothing is to be seen of it before the end. */
export class PartedPut {
  readonly #client: S3Client
  readonly #object: { Bucket: string; Key: string }
  readonly #partBytes: number
  readonly #sent: Promise<string>[] = []
  readonly #turns = new Turns(partsAtOnce)
  #isGivenUp = false
  #upload: Promise<string> | undefined

  constructor(
    client: S3Client,
    { bucket, key, maxBytes }: { bucket: string; key: string; maxBytes: number },
  ) {
    this.#client = client
    this.#object = { Bucket: bucket, Key: key }
    this.#partBytes = Math.max(smallestPartBytes, Math.ceil(maxBytes / maxParts))
  }

  /** Whether an object of this size needs no parts, and none was sent. */
  fitsInOne(sizeBytes: number): boolean {
    return this.#sent.length === 0 && sizeBytes <= this.#partBytes
  }

  /** Sends every part that is whole by now. A failure comes to light when the object is completed. */
  grown(file: string, sizeBytes: number): void {
    while ((this.#sent.length + 1) * this.#partBytes <= sizeBytes) {
      const start = this.#sent.length * this.#partBytes
      this.#send(this.#partBytes, () => createReadStream(file, { start, end: start + this.#partBytes - 1 }))
    }
  }

  /** Sends what is left of the whole file, and makes the object of the parts. */
  async complete(file: string, sizeBytes: number): Promise<void> {
    this.grown(file, sizeBytes)
    const start = this.#sent.length * this.#partBytes
    if (start < sizeBytes)
      this.#send(sizeBytes - start, () => createReadStream(file, { start, end: sizeBytes - 1 }))
    await this.#finish()
  }

  /** Sends a stream whose length nobody knows, a part at a time. */
  async completeFrom(body: Readable): Promise<void> {
    let chunks: Buffer[] = []
    let size = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      while (size >= this.#partBytes) {
        const bytes = Buffer.concat(chunks)
        this.#send(this.#partBytes, () => bytes.subarray(0, this.#partBytes))
        // one part in memory at a time
        await this.#sent.at(-1)
        chunks = [bytes.subarray(this.#partBytes)]
        size -= this.#partBytes
      }
    }
    const rest = Buffer.concat(chunks)
    if (this.#sent.length === 0) {
      await this.#client.send(new PutObjectCommand({ ...this.#object, Body: rest }))
      return
    }
    if (size > 0) this.#send(size, () => rest)
    await this.#finish()
  }

  /** Deletes what was sent; a store that cannot be reached keeps it until the next sweep. */
  async abort(): Promise<void> {
    this.#isGivenUp = true
    const UploadId = await this.#upload?.catch(() => undefined)
    if (UploadId === undefined) return
    // a part that arrives after the abort would stay
    await Promise.allSettled(this.#sent)
    await this.#client
      .send(new AbortMultipartUploadCommand({ ...this.#object, UploadId }))
      .catch(() => undefined)
  }

  #send(length: number, open: () => Readable | Buffer): void {
    const PartNumber = this.#sent.length + 1
    const sent = this.#turns.run(async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          if (this.#isGivenUp) throw new Error('the upload was given up')
          this.#upload ??= this.#begin()
          const UploadId = await this.#upload
          const part = { ...this.#object, UploadId, PartNumber, Body: open(), ContentLength: length }
          const { ETag } = await this.#client.send(new UploadPartCommand(part))
          return ETag ?? ''
        } catch (error) {
          // the SDK does not send a stream twice by itself
          if (attempt === attemptsPerPart || this.#isGivenUp) throw error
          await delay(attempt * 1000)
        }
      }
    })
    // looked at when all are awaited
    sent.catch(() => undefined)
    this.#sent.push(sent)
  }

  async #begin(): Promise<string> {
    const { UploadId } = await this.#client.send(new CreateMultipartUploadCommand(this.#object))
    if (!UploadId) throw new Error('the object store began no upload')
    return UploadId
  }

  async #finish(): Promise<void> {
    const tags = await Promise.all(this.#sent)
    const UploadId = await this.#upload
    const Parts = tags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }))
    await this.#client.send(
      new CompleteMultipartUploadCommand({ ...this.#object, UploadId, MultipartUpload: { Parts } }),
    )
  }
}
