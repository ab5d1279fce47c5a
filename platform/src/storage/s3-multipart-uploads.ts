import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { errors } from '@kinora/contract/errors.ts'
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
import { undefinedIfMissing, errorNameOf, toAppError } from './s3-errors.ts'
import { assertKey, type ByteRange, type FileRange, type MultipartUploads } from './storage.ts'

/**
 * Limit of S3 (https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html). Some stores also require that all
 * parts except the last have the same size.
 */
const maxParts = 10_000
const smallestPartBytes = 16 * 1024 * 1024
const attemptsPerPart = 3
/** Together about twenty seconds, in which a store completes an upload of thousands of parts. */
const attemptsToComplete = 10

/** Multipart uploads of a bucket. */
export class S3MultipartUploads implements MultipartUploads {
  readonly partBytes: number
  readonly #client: S3Client
  readonly #bucket: string

  constructor(client: S3Client, { bucket, maxObjectBytes }: { bucket: string; maxObjectBytes: number }) {
    this.#client = client
    this.#bucket = bucket
    this.partBytes = this.partBytesFor(maxObjectBytes)
  }

  partBytesFor(maxBytes: number): number {
    return Math.max(smallestPartBytes, Math.ceil(maxBytes / maxParts))
  }

  async begin(key: string): Promise<string> {
    assertKey(key)
    const response = await undefinedIfMissing(
      this.#client.send(new CreateMultipartUploadCommand(this.#object(key))),
    )
    if (!response?.UploadId) throw new Error('the object store did not start a multipart upload')
    return response.UploadId
  }

  async sendPart(key: string, id: string, number: number, body: FileRange | Buffer): Promise<string> {
    const part = { ...this.#object(key), UploadId: id, PartNumber: number }
    for (let attempt = 1; ; attempt++) {
      try {
        const { ETag } = await this.#client.send(new UploadPartCommand({ ...part, ...contentOf(body) }))
        return ETag ?? ''
      } catch (error) {
        if (errorNameOf(error) === 'NoSuchUpload') throw gone(error)
        // the SDK does not retry a stream
        if (attempt === attemptsPerPart) throw toAppError(error)
        await delay(attempt * 1000)
      }
    }
  }

  async copyPart(key: string, id: string, number: number, { start, end }: ByteRange): Promise<string> {
    const command = new UploadPartCopyCommand({
      ...this.#object(key),
      UploadId: id,
      PartNumber: number,
      CopySource: `${this.#bucket}/${key}`,
      CopySourceRange: `bytes=${start}-${end}`,
    })
    const response = await undefinedIfMissing(this.#client.send(command))
    return response?.CopyPartResult?.ETag ?? ''
  }

  /** Also succeeds if a concurrent or earlier request completes the upload. */
  async complete(key: string, id: string, tags: readonly string[]): Promise<void> {
    const parts = tags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }))
    const object = this.#object(key)
    const command = new CompleteMultipartUploadCommand({
      ...object,
      UploadId: id,
      MultipartUpload: { Parts: parts },
    })
    for (let attempt = 1; ; attempt++) {
      try {
        if (await undefinedIfMissing(this.#client.send(command))) return
        break
      } catch (error) {
        if (!mayBeCompleting(error) || attempt === attemptsToComplete) throw error
        await delay(2000)
      }
    }
    if (!(await undefinedIfMissing(this.#client.send(new HeadObjectCommand(object))))) throw gone()
  }

  async abort(key: string, id: string): Promise<void> {
    await undefinedIfMissing(
      this.#client.send(new AbortMultipartUploadCommand({ ...this.#object(key), UploadId: id })),
    )
  }

  #object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: key }
  }
}

const gone = (cause?: unknown) => new AppError(errors.uploadExpired, { cause })

/**
 * Whether a concurrent request may be completing the same upload. Ceph then responds with InternalError ("This multipart
 * completion is already in progress"), and NoSuchUpload or success once it is complete.
 */
const mayBeCompleting = (error: unknown) =>
  error instanceof AppError && errorNameOf(error.cause) === 'InternalError'

function contentOf(body: FileRange | Buffer): { Body: Readable | Buffer; ContentLength: number } {
  if (body instanceof Uint8Array) return { Body: body, ContentLength: body.length }
  const { file, start, end } = body
  return { Body: createReadStream(file, { start, end }), ContentLength: end - start + 1 }
}
