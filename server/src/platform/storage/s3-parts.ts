import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { AppError } from '../errors.ts'
import { answered, nameOf, translate } from './s3-errors.ts'
import { assertKey, type ByteRange, type FileRange, type Parts } from './storage.ts'

/** What S3 allows, and what some stores ask for: up to ten thousand parts, all but the last of one size. */
const maxParts = 10_000
const smallestPartBytes = 16 * 1024 * 1024
const attemptsPerPart = 3

/** Multipart uploads of a bucket. */
export class S3Parts implements Parts {
  readonly partBytes: number
  readonly #client: S3Client
  readonly #bucket: string

  constructor(client: S3Client, { bucket, maxObjectBytes }: { bucket: string; maxObjectBytes: number }) {
    this.#client = client
    this.#bucket = bucket
    this.partBytes = Math.max(smallestPartBytes, Math.ceil(maxObjectBytes / maxParts))
  }

  async begin(key: string): Promise<string> {
    assertKey(key)
    const answer = await answered(this.#client.send(new CreateMultipartUploadCommand(this.#object(key))))
    if (!answer?.UploadId) throw new Error('the object store began no upload')
    return answer.UploadId
  }

  async send(key: string, id: string, number: number, body: FileRange | Buffer): Promise<string> {
    const part = { ...this.#object(key), UploadId: id, PartNumber: number }
    for (let attempt = 1; ; attempt++) {
      try {
        const { ETag } = await this.#client.send(new UploadPartCommand({ ...part, ...contentOf(body) }))
        return ETag ?? ''
      } catch (error) {
        if (nameOf(error) === 'NoSuchUpload') throw gone(error)
        // the SDK does not send a stream twice by itself
        if (attempt === attemptsPerPart) throw translate(error)
        await delay(attempt * 1000)
      }
    }
  }

  async copy(key: string, id: string, number: number, { start, end }: ByteRange): Promise<string> {
    const command = new UploadPartCopyCommand({
      ...this.#object(key),
      UploadId: id,
      PartNumber: number,
      CopySource: `${this.#bucket}/${key}`,
      CopySourceRange: `bytes=${start}-${end}`,
    })
    const answer = await answered(this.#client.send(command))
    return answer?.CopyPartResult?.ETag ?? ''
  }

  async complete(key: string, id: string, tags: readonly string[]): Promise<void> {
    const parts = tags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }))
    const object = this.#object(key)
    const command = new CompleteMultipartUploadCommand({
      ...object,
      UploadId: id,
      MultipartUpload: { Parts: parts },
    })
    if (await answered(this.#client.send(command))) return
    if (!(await answered(this.#client.send(new HeadObjectCommand(object))))) throw gone()
  }

  async abort(key: string, id: string): Promise<void> {
    await answered(this.#client.send(new AbortMultipartUploadCommand({ ...this.#object(key), UploadId: id })))
  }

  #object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: key }
  }
}

const gone = (cause?: unknown) =>
  new AppError('gone', 'This upload is no more: please begin it again', { cause })

function contentOf(body: FileRange | Buffer): { Body: Readable | Buffer; ContentLength: number } {
  if (body instanceof Uint8Array) return { Body: body, ContentLength: body.length }
  const { file, start, end } = body
  return { Body: createReadStream(file, { start, end }), ContentLength: end - start + 1 }
}
