import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { applyEdits, editBytes, type FileEdit, touches } from '../files/file-edits.ts'
import { newId } from '../ids.ts'
import { StartupError } from '../startup-error.ts'
import { LocalFileCache } from './local-file-cache.ts'
import { MultipartUpload } from './multipart-upload.ts'
import { errorNameOf, explainFailure, toAppError, undefinedIfMissing } from './s3-errors.ts'
import { S3MultipartUploads } from './s3-multipart-uploads.ts'
import {
  assertKey,
  assertPrefix,
  type Body,
  type ByteRange,
  type StreamingPut,
  type ObjectInfo,
  type LocalFile,
  type Storage,
  type StoredObject,
} from './storage.ts'
import { type S3Bucket, parseStorageUrl } from './storage-url.ts'

export interface S3Options {
  url: string
  accessKeyId: string
  secretAccessKey: string
  /** Local cache for programs that read only files. */
  cache: { directory: string; maxBytes: number }
  /** Size limit of an object. The part size follows, because an upload has at most ten thousand parts. */
  maxObjectBytes: number
  /** How long reads and deletions wait for the beginning of a response, retries included. */
  timeoutMs: number
}

/** URLs are signed as of the last full hour, so that they stay the same, and cacheable, for an hour. */
const signedForHours = 1
const validHours = 13

/** Errors are thrown. Without this logger the client would also print them to standard error. */
const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }

/** Room for captions, pictures and lists. */
const marginOfSize = 1.25

/** Concurrent requests. Each open download uses one. */
const maxSockets = 512

/** Storage in a bucket of any store that speaks S3. */
export class S3Storage implements Storage {
  readonly parts: S3MultipartUploads
  readonly #client: S3Client
  readonly #bucket: string
  readonly #location: S3Bucket
  readonly #cache: LocalFileCache
  readonly #timeoutMs: number
  readonly #streamingPuts = new Map<string, MultipartUpload>()

  constructor({ url, accessKeyId, secretAccessKey, cache, maxObjectBytes, timeoutMs }: S3Options) {
    this.#timeoutMs = timeoutMs
    this.#location = parseStorageUrl(url)
    this.#bucket = this.#location.bucket
    this.#client = new S3Client({
      region: this.#location.region,
      credentials: { accessKeyId, secretAccessKey },
      // other stores rarely support virtual-hosted-style addresses
      ...(this.#location.endpoint ? { endpoint: this.#location.endpoint, forcePathStyle: true } : {}),
      // other stores reject the checksums that the SDK sends by default since 2025
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      logger: silent,
      requestHandler: {
        connectionTimeout: 5000,
        socketTimeout: 60_000,
        httpAgent: { maxSockets, keepAlive: true },
        httpsAgent: { maxSockets, keepAlive: true },
        // waiting for a socket is normal on a busy site
        socketAcquisitionWarningTimeout: 60_000,
      },
    })
    this.parts = new S3MultipartUploads(this.#client, { bucket: this.#bucket, maxObjectBytes })
    this.#cache = new LocalFileCache(cache, this)
  }

  /** Checks that objects can be written, read, listed and deleted. Throws StartupError with the cause and the remedy. */
  async check(): Promise<void> {
    const key = `check/${newId()}`
    try {
      const object = { Bucket: this.#bucket, Key: key }
      const list = new ListObjectsV2Command({ Bucket: this.#bucket, MaxKeys: 1 })
      await this.#withTimeout((options) =>
        this.#client.send(new PutObjectCommand({ ...object, Body: 'kinora' }), options),
      )
      await this.#withTimeout((options) => this.#client.send(new HeadObjectCommand(object), options))
      await this.#withTimeout((options) => this.#client.send(list, options))
      await this.#withTimeout((options) => this.#client.send(new DeleteObjectCommand(object), options))
    } catch (cause) {
      throw new StartupError(explainFailure(this.#location, cause), { cause })
    }
  }

  /**
   * Aborts a request whose response does not start in time and throws TimeoutError. The body may take any time. Not for
   * uploads, whose response starts after their last byte.
   */
  async #withTimeout<T>(work: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), this.#timeoutMs)
    try {
      return await work({ abortSignal: controller.signal })
    } catch (error) {
      if (!controller.signal.aborted) throw error
      const late = new Error(`the object store did not respond within ${this.#timeoutMs} ms`, {
        cause: error,
      })
      late.name = 'TimeoutError'
      throw late
    } finally {
      clearTimeout(timer)
    }
  }

  async put(key: string, body: Body, expectedBytes = 0): Promise<void> {
    assertKey(key)
    if ('file' in body) return this.#putFile(key, body.file, body.edited)
    if (body instanceof Uint8Array) return this.#putBytes(key, body, body.length)
    const partBytes = Math.max(this.parts.partBytes, this.parts.partBytesFor(marginOfSize * expectedBytes))
    const upload = new MultipartUpload(this.parts, key, partBytes)
    try {
      const small = await upload.completeFrom(body)
      if (small) await this.#putBytes(key, small, small.length)
    } catch (error) {
      await upload.abort()
      throw toAppError(error)
    }
  }

  async putOnce(key: string, bytes: Uint8Array): Promise<void> {
    assertKey(key)
    try {
      await this.#putBytes(key, bytes, bytes.length, { IfNoneMatch: '*' })
    } catch (error) {
      // the object exists
      if (errorNameOf(error) === 'PreconditionFailed') return
      // the store does not support conditional writes
      if (errorNameOf(error) !== 'NotImplemented') throw error
      await this.#putBytes(key, bytes, bytes.length)
    }
  }

  async #putBytes(
    key: string,
    body: Uint8Array | Readable,
    length: number,
    condition: { IfNoneMatch?: '*' } = {},
  ): Promise<void> {
    const object = { Bucket: this.#bucket, Key: key, Body: body, ContentLength: length }
    await undefinedIfMissing(this.#client.send(new PutObjectCommand({ ...object, ...condition })))
  }

  async #putFile(key: string, file: string, edited: readonly FileEdit[] = []): Promise<void> {
    const { size } = await stat(file)
    const upload = this.#streamingPuts.get(key) ?? new MultipartUpload(this.parts, key)
    this.#streamingPuts.delete(key)
    try {
      if (upload.fitsInOne(size)) await this.#putBytes(key, createReadStream(file), size)
      else await upload.complete(file, size, edited)
    } catch (error) {
      await upload.abort()
      throw toAppError(error)
    }
    // the source is soon needed on this machine for thumbnails, so the received file becomes the cached one
    if (!(await this.#cache.adopt(key, file))) await rm(file, { force: true })
  }

  putWhileReceiving(key: string): StreamingPut {
    assertKey(key)
    const upload = new MultipartUpload(this.parts, key)
    this.#streamingPuts.set(key, upload)
    return {
      grown: (file, sizeBytes) => upload.grown(file, sizeBytes),
      [Symbol.asyncDispose]: async () => {
        if (!this.#streamingPuts.delete(key)) return
        await upload.abort()
      },
    }
  }

  /** Sends only the changed parts. The store copies the others. */
  async edit(key: string, file: string, edits: readonly FileEdit[]): Promise<void> {
    assertKey(key)
    const { size } = await stat(file)
    const { partBytes } = this.parts
    const edited = async ({ start, end }: ByteRange) => {
      const bytes = await buffer(createReadStream(file, { start, end }))
      if (bytes.length <= end - start) throw new Error(`${file} was truncated while it was read`)
      editBytes(bytes, start, edits)
      return bytes
    }
    if (size <= partBytes) {
      const bytes = await edited({ start: 0, end: size - 1 })
      await this.#putBytes(key, bytes, bytes.length)
    } else {
      const id = await this.parts.begin(key)
      try {
        const tags: string[] = []
        for (let start = 0; start < size; start += partBytes) {
          const range = { start, end: Math.min(start + partBytes, size) - 1 }
          const number = tags.length + 1
          tags.push(
            touches(edits, range)
              ? await this.parts.sendPart(key, id, number, await edited(range))
              : await this.parts.copyPart(key, id, number, range),
          )
        }
        await this.parts.complete(key, id, tags)
      } catch (error) {
        // The sweep of unfinished uploads repeats a failed abort.
        await this.parts.abort(key, id).catch(() => undefined)
        throw toAppError(error)
      }
    }
    // the cached file changes last, so that it never differs from an object that could not be changed
    await applyEdits(file, edits)
  }

  async get(key: string, range?: ByteRange): Promise<(ObjectInfo & { body: Readable }) | undefined> {
    assertKey(key)
    const command = new GetObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
    })
    const sent = this.#withTimeout((options) => this.#client.send(command, options))
    const response = await undefinedIfMissing(sent).catch((error: unknown) => {
      if (range && errorNameOf(error) === 'InvalidRange') return 'range past the end' as const
      throw error
    })
    if (response === 'range past the end') {
      const info = await this.head(key)
      return info && { ...info, body: Readable.from([]) }
    }
    // the SDK's type also covers browsers; in Node the body is a Readable
    const body = response?.Body as Readable | undefined
    if (!response || !body) return undefined
    const sizeBytes = Number(/\/(\d+)$/.exec(response.ContentRange ?? '')?.[1] ?? response.ContentLength ?? 0)
    return { sizeBytes, etag: response.ETag ?? '', body }
  }

  async head(key: string): Promise<ObjectInfo | undefined> {
    assertKey(key)
    const command = new HeadObjectCommand({ Bucket: this.#bucket, Key: key })
    const response = await undefinedIfMissing(
      this.#withTimeout((options) => this.#client.send(command, options)),
    )
    return response && { sizeBytes: response.ContentLength ?? 0, etag: response.ETag ?? '' }
  }

  async delete(keyOrPrefix: string): Promise<void> {
    if (!keyOrPrefix.endsWith('/')) {
      assertKey(keyOrPrefix)
      const command = new DeleteObjectCommand({ Bucket: this.#bucket, Key: keyOrPrefix })
      await undefinedIfMissing(this.#withTimeout((options) => this.#client.send(command, options)))
      return this.#cache.forget(keyOrPrefix)
    }
    assertPrefix(keyOrPrefix)
    for await (const page of this.#pages(keyOrPrefix)) {
      if (page.length === 0) continue
      const response = await undefinedIfMissing(
        this.#client.send(
          new DeleteObjectsCommand({
            Bucket: this.#bucket,
            Delete: { Objects: page.map(({ key }) => ({ Key: key })), Quiet: true },
          }),
        ),
      )
      const [failed] = response?.Errors ?? []
      if (failed)
        throw new Error(`the storage did not delete ${failed.Key}: ${failed.Message ?? failed.Code}`)
      await Promise.all(page.map(({ key }) => this.#cache.forget(key)))
    }
  }

  async *list(prefix: string): AsyncIterable<StoredObject> {
    assertPrefix(prefix)
    for await (const page of this.#pages(prefix)) yield* page
  }

  async *#pages(prefix: string): AsyncIterable<StoredObject[]> {
    let token: string | undefined
    do {
      const command = new ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: prefix,
        ContinuationToken: token,
      })
      const response = await undefinedIfMissing(
        this.#withTimeout((options) => this.#client.send(command, options)),
      )
      yield (response?.Contents ?? []).map(({ Key = '', Size = 0 }) => ({ key: Key, sizeBytes: Size }))
      token = response?.NextContinuationToken
    } while (token !== undefined)
  }

  async sweep(before: Date, isAbandoned: (key: string) => boolean): Promise<void> {
    let marker: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {}
    for (;;) {
      const response = await undefinedIfMissing(
        this.#client.send(new ListMultipartUploadsCommand({ Bucket: this.#bucket, ...marker })),
      )
      for (const { Key, UploadId, Initiated } of response?.Uploads ?? []) {
        if (!Initiated || Initiated >= before || !isAbandoned(Key ?? '')) continue
        await this.parts.abort(Key ?? '', UploadId ?? '')
      }
      if (!response?.IsTruncated) return
      marker = { KeyMarker: response.NextKeyMarker, UploadIdMarker: response.NextUploadIdMarker }
    }
  }

  pathOf(): undefined {
    return undefined
  }

  open(key: string): Promise<LocalFile | undefined> {
    assertKey(key)
    return this.#cache.open(key)
  }

  async presignedUrl(
    key: string,
    { type, cacheControl }: { type: string; cacheControl: string },
  ): Promise<string> {
    assertKey(key)
    const hourMs = signedForHours * 3600 * 1000
    const command = new GetObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      ResponseContentType: type,
      ResponseCacheControl: cacheControl,
    })
    return getSignedUrl(this.#client, command, {
      expiresIn: validHours * 3600,
      signingDate: new Date(Math.floor(Date.now() / hourMs) * hourMs),
    })
  }

  async close(): Promise<void> {
    await this.#cache.close()
    this.#client.destroy()
  }
}
