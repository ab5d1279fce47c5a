import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { errors } from '@kinora/contract/errors.ts'
import { DataStore, ERRORS, Upload } from '@tus/server'
import type { Context } from '../../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { newId } from '@kinora/platform/ids.ts'
import { ownName } from '@kinora/platform/process-identity.ts'
import type { MultipartUploads } from '@kinora/platform/storage/storage.ts'
import { writeFully } from '@kinora/platform/files/write-fully.ts'
import {
  claimUpload,
  deleteUpload,
  findFiles,
  findUpload,
  insertUpload,
  listUploadsOf,
  updateReceived,
  updateUploadSize,
  type UploadRow,
} from '../queries.ts'
import { continuedElsewhere, sourceKeyOf, tailKeyOf, tailsOf } from '../rules.ts'
import type { OpenUpload, UploadLimit, UploadStore } from './upload-store.ts'

/**
 * Uploads whose bytes go directly to a bucket, as parts of the future source; their state is in the database. Any web
 * process can continue them, and a killed process loses at most one part.
 *
 * Bytes are buffered in a local file until a part is complete. The remainder of a request is stored as the tail, with
 * which the next request begins its first part. If two requests continue one upload (a client may reconnect before the
 * lost connection is noticed), only the later one is valid: each change names its writer.
 */
export class BucketUploads extends DataStore implements UploadStore {
  readonly #context: Pick<Context, 'db' | 'storage' | 'clock'>
  readonly #parts: MultipartUploads
  readonly #directory: string
  readonly #room: UploadLimit

  constructor(
    context: Pick<Context, 'db' | 'storage' | 'clock'>,
    parts: MultipartUploads,
    directory: string,
    room: UploadLimit,
  ) {
    super()
    this.#room = room
    this.#context = context
    this.#parts = parts
    this.#directory = directory
    this.extensions = ['creation', 'creation-with-upload', 'creation-defer-length', 'termination']
  }

  override create(upload: Upload): Promise<Upload> {
    const { clock } = this.#context
    const sourceKey = sourceKeyOf(upload.id, newId())
    return this.#room.begin(this, upload, {
      prepare: () => this.#parts.begin(sourceKey),
      insert: async (db, partsId) => {
        await insertUpload(db, {
          id: upload.id,
          sizeBytes: upload.size ?? null,
          metadata: JSON.stringify(upload.metadata ?? {}),
          sourceKey,
          partsId,
          partBytes: this.#parts.partBytes,
          touchedAt: clock.now(),
        })
        return upload
      },
      // the sweep of unfinished uploads repeats a failed abort
      undo: (partsId) => this.#parts.abort(sourceKey, partsId).catch(() => undefined),
    })
  }

  override async getUpload(id: string): Promise<Upload> {
    const row = await this.#get(id)
    return new Upload({
      id,
      offset: row.receivedBytes,
      ...(row.sizeBytes === null ? {} : { size: row.sizeBytes }),
      metadata: row.metadata as NonNullable<Upload['metadata']>,
    })
  }

  override async declareUploadLength(id: string, sizeBytes: number): Promise<void> {
    await updateUploadSize(this.#context.db, id, sizeBytes)
  }

  /** Returns the offset after the received bytes. Bytes before a lost connection are stored too. */
  override async write(bytes: Readable, id: string, offset: number): Promise<number> {
    const { db, clock } = this.#context
    const upload = await claimUpload(db, id, offset, newId(), clock.now())
    if (!upload) throw ERRORS.INVALID_OFFSET
    const writing = new Writing(this.#context, this.#parts, this.#directory, upload)
    try {
      await writing.take(bytes)
    } finally {
      await writing.end()
    }
    return writing.receivedBytes
  }

  grow(upload: Upload, bytes: number): Promise<void> {
    return this.#room.grow(this, upload, bytes)
  }

  listIds(ownerId: string): Promise<string[]> {
    return listUploadsOf(this.#context.db, ownerId)
  }

  async open(id: string): Promise<OpenUpload> {
    const { storage } = this.#context
    const { sourceKey, partsId, partTags } = await this.#get(id)
    // an empty upload has no parts
    if (partTags.length === 0) await storage.put(sourceKey, Buffer.alloc(0))
    else await this.#parts.complete(sourceKey, partsId, partTags)
    const file = await storage.open(sourceKey)
    if (!file) throw new AppError(errors.uploadExpired)
    return {
      videoFile: file.path,
      storedAt: sourceKey,
      [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
    }
  }

  fileOf(): undefined {
    return undefined
  }

  /** Deletes the upload, except for a source that a video uses. */
  override async remove(id: string): Promise<void> {
    const { db, storage } = this.#context
    const { sourceKey, partsId } = await this.#get(id)
    if ((await findFiles(db, id))?.sourceKey !== sourceKey) {
      await this.#parts.abort(sourceKey, partsId)
      await storage.delete(sourceKey)
    }
    await storage.delete(tailsOf(id))
    await deleteUpload(db, id)
  }

  async #get(id: string): Promise<UploadRow> {
    const row = await findUpload(this.#context.db, id)
    if (!row) throw ERRORS.FILE_NOT_FOUND
    return row
  }
}

/** One request that continues an upload. */
class Writing {
  /** Bytes of the parts that the bucket has confirmed. */
  receivedBytes: number
  readonly #context: Pick<Context, 'db' | 'storage' | 'clock'>
  readonly #parts: MultipartUploads
  readonly #directory: string
  readonly #upload: UploadRow & { writer: string }
  #sentParts: number
  #sending: Promise<void> = Promise.resolve()
  #oldTail: string | null
  #hasNew = false
  #part: PartFile | undefined

  constructor(
    context: Pick<Context, 'db' | 'storage' | 'clock'>,
    parts: MultipartUploads,
    directory: string,
    upload: UploadRow & { writer: string },
  ) {
    this.#context = context
    this.#parts = parts
    this.#directory = directory
    this.#upload = upload
    this.#sentParts = upload.partTags.length
    this.#oldTail = upload.tailKey
    this.receivedBytes = upload.receivedBytes
  }

  async take(bytes: Readable): Promise<void> {
    const { partBytes, tailKey } = this.#upload
    this.#part = await PartFile.create(this.#directory)
    if (tailKey !== null) await this.#fetchTail(this.#part, tailKey)
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      let rest = chunk
      while (rest.length > 0) {
        const taken = rest.subarray(0, partBytes - this.#part.sizeBytes)
        await this.#part.append(taken)
        this.#hasNew = true
        rest = rest.subarray(taken.length)
        if (this.#part.sizeBytes < partBytes) continue
        const whole = this.#part
        this.#part = await PartFile.create(this.#directory)
        // Sends one part while the next one arrives.
        await this.#sending
        this.#sending = this.#send(whole)
        // Awaited by the next part or the end; until then it must not be an unhandled rejection.
        this.#sending.catch(() => undefined)
      }
    }
  }

  /** Stores the bytes after the last complete part. */
  async end(): Promise<void> {
    const part = this.#part
    try {
      await this.#sending
      if (!part || part.sizeBytes === 0) return
      const { partBytes, sizeBytes } = this.#upload
      const isLast = this.#sentParts * partBytes + part.sizeBytes === sizeBytes
      if (isLast) await this.#send(part)
      else if (this.#hasNew) await this.#putTail(part)
    } finally {
      await part?.[Symbol.asyncDispose]()
    }
  }

  async #send(part: PartFile): Promise<void> {
    await using _ = part
    const { sourceKey, partsId } = this.#upload
    const range = { file: part.path, start: 0, end: part.sizeBytes - 1 }
    const partTag = await this.#parts.sendPart(sourceKey, partsId, this.#sentParts + 1, range)
    await this.#note({ partTag, receivedBytes: this.#sentParts * this.#upload.partBytes + part.sizeBytes })
    this.#sentParts += 1
  }

  async #putTail(part: PartFile): Promise<void> {
    const tailKey = tailKeyOf(this.#upload.id, this.#upload.writer)
    const receivedBytes = this.#sentParts * this.#upload.partBytes + part.sizeBytes
    await this.#context.storage.put(tailKey, { file: await part.finish() })
    try {
      await this.#note({ tailKey, receivedBytes })
    } catch (error) {
      await this.#context.storage.delete(tailKey)
      throw error
    }
  }

  async #fetchTail(part: PartFile, tailKey: string): Promise<void> {
    await using tail = await this.#context.storage.open(tailKey)
    if (!tail) throw new AppError(errors.uploadExpired)
    await pipeline(createReadStream(tail.path), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) await part.append(chunk)
    })
  }

  async #note(received: { partTag?: string; tailKey?: string; receivedBytes: number }): Promise<void> {
    const { db, storage, clock } = this.#context
    const { id, writer } = this.#upload
    if (!(await updateReceived(db, id, writer, received, clock.now()))) throw continuedElsewhere()
    this.receivedBytes = received.receivedBytes
    const tail = this.#oldTail
    this.#oldTail = null
    if (tail !== null) await storage.delete(tail)
  }
}

/** A growing part in a local file, which is deleted when disposed of. */
class PartFile implements AsyncDisposable {
  readonly path: string
  sizeBytes = 0
  readonly #file: FileHandle

  private constructor(place: string, file: FileHandle) {
    this.path = place
    this.#file = file
  }

  static async create(directory: string): Promise<PartFile> {
    await mkdir(directory, { recursive: true })
    const place = path.join(directory, ownName())
    return new PartFile(place, await open(place, 'wx'))
  }

  async append(bytes: Buffer): Promise<void> {
    await writeFully(this.#file, bytes, this.sizeBytes)
    this.sizeBytes += bytes.length
  }

  /** The file with these bytes alone; the caller takes it over. */
  async finish(): Promise<string> {
    await this.#file.truncate(this.sizeBytes)
    return this.path
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close()
    await rm(this.path, { force: true })
  }
}
