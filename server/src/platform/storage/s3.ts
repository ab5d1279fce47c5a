import { createReadStream } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { applyEdits, editBytes, type FileEdit, touches } from '../files/file-edits.ts'
import { newId } from '../ids.ts'
import { StartupError } from '../startup-error.ts'
import { Copies } from './copies.ts'
import { PartedPut } from './parted-put.ts'
import { answered, isOfNetwork, nameOf, translate } from './s3-errors.ts'
import { S3Parts } from './s3-parts.ts'
import {
  assertKey,
  assertPrefix,
  type Body,
  type ByteRange,
  type EarlyPut,
  type Found,
  type LocalFile,
  type Storage,
  type Stored,
} from './storage.ts'

/** What a STORAGE_URL says: `s3://bucket?endpoint=https://host&region=name`. */
interface S3Place {
  bucket: string
  endpoint: string | undefined
  region: string
}

export interface S3Options {
  url: string
  accessKeyId: string
  secretAccessKey: string
  /** Where objects are copied to for programs that read files, and how much of that is kept. */
  copies: { directory: string; maxBytes: number }
  /** No object is larger: decides the size of parts, of which there may be ten thousand. */
  maxObjectBytes: number
  /** How long reads and deletions wait for the beginning of a response, retries included. */
  timeoutMs: number
}

/** Addresses are signed as of the last full hour, so that all browsers and caches see the same one for that long. */
const signedForHours = 1
const validHours = 13

/** What fails is thrown as well; without a logger of ours the client would tell standard error, too. */
const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }

/** Requests at once; each viewer of a stream holds one. */
const sockets = 512

/** Storage in a bucket of any store that speaks S3. */
export class S3Storage implements Storage {
  readonly parts: S3Parts
  readonly #client: S3Client
  readonly #bucket: string
  readonly #place: S3Place
  readonly #copies: Copies
  readonly #timeoutMs: number
  readonly #early = new Map<string, PartedPut>()

  constructor({ url, accessKeyId, secretAccessKey, copies, maxObjectBytes, timeoutMs }: S3Options) {
    this.#timeoutMs = timeoutMs
    this.#place = readPlace(url)
    this.#bucket = this.#place.bucket
    this.#client = new S3Client({
      region: this.#place.region,
      credentials: { accessKeyId, secretAccessKey },
      // stores other than Amazon's rarely have a name for each bucket
      ...(this.#place.endpoint ? { endpoint: this.#place.endpoint, forcePathStyle: true } : {}),
      // the checksums that are the default since 2025 are refused by other stores
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      logger: silent,
      requestHandler: {
        connectionTimeout: 5000,
        socketTimeout: 60_000,
        httpAgent: { maxSockets: sockets, keepAlive: true },
        httpsAgent: { maxSockets: sockets, keepAlive: true },
        // waiting for a socket is what a busy site does
        socketAcquisitionWarningTimeout: 60_000,
      },
    })
    this.parts = new S3Parts(this.#client, { bucket: this.#bucket, maxObjectBytes })
    this.#copies = new Copies(copies, this)
  }

  /** Makes sure that objects can be written, read and deleted. Throws StartupError with a sentence that says what cannot. */
  async check(): Promise<void> {
    const key = `check/${newId()}`
    try {
      const object = { Bucket: this.#bucket, Key: key }
      const list = new ListObjectsV2Command({ Bucket: this.#bucket, MaxKeys: 1 })
      await this.#inTime((options) =>
        this.#client.send(new PutObjectCommand({ ...object, Body: 'kinora' }), options),
      )
      await this.#inTime((options) => this.#client.send(new HeadObjectCommand(object), options))
      await this.#inTime((options) => this.#client.send(list, options))
      await this.#inTime((options) => this.#client.send(new DeleteObjectCommand(object), options))
    } catch (cause) {
      throw new StartupError(complaint(this.#place, cause), { cause })
    }
  }

  /**
   * Aborts what the store has not begun to answer in time; a body may then take any time. Throws TimeoutError. Not for
   * uploads, whose response begins after their last byte.
   */
  async #inTime<T>(work: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> {
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

  async put(key: string, body: Body): Promise<void> {
    assertKey(key)
    if ('file' in body) return this.#putFile(key, body.file, body.edited)
    if (body instanceof Uint8Array) return this.#putBytes(key, body, body.length)
    const parts = new PartedPut(this.parts, key)
    try {
      const whole = await parts.completeFrom(body)
      if (whole) await this.#putBytes(key, whole, whole.length)
    } catch (error) {
      await parts.abort()
      throw translate(error)
    }
  }

  async putOnce(key: string, bytes: Uint8Array): Promise<void> {
    assertKey(key)
    try {
      await this.#putBytes(key, bytes, bytes.length, { IfNoneMatch: '*' })
    } catch (error) {
      // there is one already
      if (nameOf(error) === 'PreconditionFailed') return
      // a store that knows no such condition
      if (nameOf(error) !== 'NotImplemented') throw error
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
    await answered(this.#client.send(new PutObjectCommand({ ...object, ...condition })))
  }

  async #putFile(key: string, file: string, edited: readonly FileEdit[] = []): Promise<void> {
    const { size } = await stat(file)
    const parts = this.#early.get(key) ?? new PartedPut(this.parts, key)
    this.#early.delete(key)
    try {
      if (parts.fitsInOne(size)) await this.#putBytes(key, createReadStream(file), size)
      else await parts.complete(file, size, edited)
    } catch (error) {
      await parts.abort()
      throw translate(error)
    }
    // whoever received a source soon has its pictures made: nobody has to fetch what is at hand
    if (!(await this.#copies.adopt(key, file))) await rm(file, { force: true })
  }

  putEarly(key: string): EarlyPut {
    assertKey(key)
    const parts = new PartedPut(this.parts, key)
    this.#early.set(key, parts)
    return {
      grown: (file, sizeBytes) => parts.grown(file, sizeBytes),
      [Symbol.asyncDispose]: async () => {
        if (!this.#early.delete(key)) return
        await parts.abort()
      },
    }
  }

  /** Only the parts that change are sent; the others are copied within the store. */
  async edit(key: string, file: string, edits: readonly FileEdit[]): Promise<void> {
    assertKey(key)
    const { size } = await stat(file)
    const { partBytes } = this.parts
    const edited = async ({ start, end }: ByteRange) => {
      const bytes = await readRange(file, { start, end })
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
              ? await this.parts.send(key, id, number, await edited(range))
              : await this.parts.copy(key, id, number, range),
          )
        }
        await this.parts.complete(key, id, tags)
      } catch (error) {
        await this.parts.abort(key, id).catch(() => undefined)
        throw translate(error)
      }
    }
    // last, so that the copy of an object that could not be changed is not taken for one that was
    await applyEdits(file, edits)
  }

  async get(key: string, range?: ByteRange): Promise<(Found & { body: Readable }) | undefined> {
    assertKey(key)
    const command = new GetObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
    })
    const sent = this.#inTime((options) => this.#client.send(command, options))
    const answer = await answered(sent).catch((error: unknown) => {
      if (range && nameOf(error) === 'InvalidRange') return 'beyond' as const
      throw error
    })
    if (answer === 'beyond') {
      const found = await this.find(key)
      return found && { ...found, body: Readable.from([]) }
    }
    // in Node the body is a stream of Node's, which the SDK's type leaves open
    const body = answer?.Body as Readable | undefined
    if (!answer || !body) return undefined
    const whole = Number(/\/(\d+)$/.exec(answer.ContentRange ?? '')?.[1] ?? answer.ContentLength ?? 0)
    return { sizeBytes: whole, etag: answer.ETag ?? '', body }
  }

  async find(key: string): Promise<Found | undefined> {
    assertKey(key)
    const command = new HeadObjectCommand({ Bucket: this.#bucket, Key: key })
    const answer = await answered(this.#inTime((options) => this.#client.send(command, options)))
    return answer && { sizeBytes: answer.ContentLength ?? 0, etag: answer.ETag ?? '' }
  }

  async delete(keyOrPrefix: string): Promise<void> {
    if (!keyOrPrefix.endsWith('/')) {
      assertKey(keyOrPrefix)
      const command = new DeleteObjectCommand({ Bucket: this.#bucket, Key: keyOrPrefix })
      await answered(this.#inTime((options) => this.#client.send(command, options)))
      return this.#copies.forget(keyOrPrefix)
    }
    assertPrefix(keyOrPrefix)
    for await (const page of this.#pages(keyOrPrefix)) {
      if (page.length === 0) continue
      const answer = await answered(
        this.#client.send(
          new DeleteObjectsCommand({
            Bucket: this.#bucket,
            Delete: { Objects: page.map(({ key }) => ({ Key: key })), Quiet: true },
          }),
        ),
      )
      const [failed] = answer?.Errors ?? []
      if (failed)
        throw new Error(`the storage did not delete ${failed.Key}: ${failed.Message ?? failed.Code}`)
      await Promise.all(page.map(({ key }) => this.#copies.forget(key)))
    }
  }

  async *list(prefix: string): AsyncIterable<Stored> {
    assertPrefix(prefix)
    for await (const page of this.#pages(prefix)) yield* page
  }

  async *#pages(prefix: string): AsyncIterable<Stored[]> {
    let token: string | undefined
    do {
      const command = new ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: prefix,
        ContinuationToken: token,
      })
      const answer = await answered(this.#inTime((options) => this.#client.send(command, options)))
      yield (answer?.Contents ?? []).map(({ Key = '', Size = 0 }) => ({ key: Key, sizeBytes: Size }))
      token = answer?.NextContinuationToken
    } while (token !== undefined)
  }

  async sweep(before: Date, isNeeded: (key: string) => boolean = () => false): Promise<void> {
    let marker: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {}
    for (;;) {
      const answer = await answered(
        this.#client.send(new ListMultipartUploadsCommand({ Bucket: this.#bucket, ...marker })),
      )
      for (const { Key, UploadId, Initiated } of answer?.Uploads ?? []) {
        if (!Initiated || Initiated >= before || isNeeded(Key ?? '')) continue
        await this.parts.abort(Key ?? '', UploadId ?? '')
      }
      if (!answer?.IsTruncated) return
      marker = { KeyMarker: answer.NextKeyMarker, UploadIdMarker: answer.NextUploadIdMarker }
    }
  }

  pathOf(): undefined {
    return undefined
  }

  open(key: string): Promise<LocalFile | undefined> {
    assertKey(key)
    return this.#copies.open(key)
  }

  async addressOf(
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
    await this.#copies.close()
    this.#client.destroy()
  }
}

/** Reads a STORAGE_URL. Throws StartupError for one that names no bucket, or more than a bucket. */
export function readPlace(url: string): S3Place {
  const { hostname, pathname, searchParams } = new URL(url)
  const unknown = [...searchParams.keys()].filter((name) => !['endpoint', 'region'].includes(name))
  const endpoint = searchParams.get('endpoint') ?? undefined
  const isEndpoint = endpoint === undefined || /^https?:\/\/[^/]+\/?$/.test(endpoint)
  if (!hostname || !['', '/'].includes(pathname) || unknown.length > 0 || !isEndpoint) {
    throw new StartupError(
      'STORAGE_URL is to look like s3://bucket?endpoint=https://host&region=name; endpoint and region may be left out.',
    )
  }
  return { bucket: hostname, endpoint, region: searchParams.get('region') ?? 'us-east-1' }
}

async function readRange(path: string, { start, end }: ByteRange): Promise<Buffer> {
  const file = await open(path)
  try {
    const bytes = Buffer.alloc(end + 1 - start)
    for (let filled = 0; filled < bytes.length;) {
      const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled)
      if (bytesRead === 0) throw new Error(`${path} is shorter than it was`)
      filled += bytesRead
    }
    return bytes
  } finally {
    await file.close()
  }
}

function complaint({ bucket, endpoint, region }: S3Place, error: unknown): string {
  const where = `the bucket ${bucket} at ${endpoint ?? `Amazon S3 (${region})`}`
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
  if (isOfNetwork(error)) {
    return `The object store of STORAGE_URL cannot be reached (${endpoint ?? region}): start it, or correct the endpoint.`
  }
  if (nameOf(error) === 'NoSuchBucket' || status === 404)
    return `STORAGE_URL names ${where}, which does not exist: make it first, or correct the name.`
  if (status === 301 || nameOf(error) === 'AuthorizationHeaderMalformed')
    return `STORAGE_URL names ${where}, which is in another region: add region=... to it.`
  if (status === 403 || status === 401) {
    return `Access to ${where} is denied (${nameOf(error)}): AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must belong to somebody who may list the bucket and get, put and delete its objects.`
  }
  return `STORAGE_URL names ${where}, which cannot be used: ${error instanceof Error ? error.message : String(error)}.`
}
