import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DataStore, ERRORS, Upload } from '@tus/server'
import type { Context } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { ownName } from '../../../platform/process-identity.ts'
import type { Parts } from '../../../platform/storage/storage.ts'
import { writeFully } from '../../../platform/files/write-fully.ts'
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
import { sourceKeyOf, tailKeyOf, tailsOf } from '../rules.ts'
import type { LentUpload, UploadRoom, UploadStore } from './upload-store.ts'

/**
 * Uploads whose bytes are in a bucket from the beginning, as the parts of what becomes the source; their state is in the
 * database. Whichever web process gets the next bytes goes on with them, and a killed one costs at most one part.
 *
 * Bytes gather in a file of this machine until a part is whole. What is left when a request ends is stored as the tail,
 * from which the next request begins its first part. Of two requests that go on with one upload (a sender who came
 * back before the lost connection was noticed) only the later one is believed: each change names its writer.
 */
export class BucketUploads extends DataStore implements UploadStore {
  readonly #context: Pick<Context, 'db' | 'storage' | 'clock'>
  readonly #parts: Parts
  readonly #directory: string
  readonly #room: UploadRoom

  constructor(
    context: Pick<Context, 'db' | 'storage' | 'clock'>,
    parts: Parts,
    directory: string,
    room: UploadRoom,
  ) {
    super()
    this.#room = room
    this.#context = context
    this.#parts = parts
    this.#directory = directory
    this.extensions = ['creation', 'creation-with-upload', 'creation-defer-length', 'termination']
  }

  override create(upload: Upload): Promise<Upload> {
    return this.#room.begin(this, upload, () => this.#begin(upload))
  }

  async #begin(upload: Upload): Promise<Upload> {
    const { db, clock } = this.#context
    const sourceKey = sourceKeyOf(upload.id, newId())
    await insertUpload(db, {
      id: upload.id,
      sizeBytes: upload.size ?? null,
      metadata: JSON.stringify(upload.metadata ?? {}),
      sourceKey,
      partsId: await this.#parts.begin(sourceKey),
      partBytes: this.#parts.partBytes,
      touchedAt: clock.now(),
    })
    return upload
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

  /** Answers the offset after the bytes that came. What came before a broken end is kept as well. */
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

  idsOf(ownerId: string): Promise<string[]> {
    return listUploadsOf(this.#context.db, ownerId)
  }

  async lend(id: string): Promise<LentUpload> {
    const { storage } = this.#context
    const { sourceKey, partsId, partTags } = await this.#get(id)
    // nothing at all is no upload in parts
    if (partTags.length === 0) await storage.put(sourceKey, Buffer.alloc(0))
    else await this.#parts.complete(sourceKey, partsId, partTags)
    const file = await storage.open(sourceKey)
    if (!file) throw new AppError('gone', 'This upload is no more: please begin it again')
    return {
      videoFile: file.path,
      storedAt: sourceKey,
      [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
    }
  }

  fileOf(): undefined {
    return undefined
  }

  /** Deletes it, but for what has become the source of a video. */
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

/** One request that goes on with an upload. */
class Writing {
  /** Parts that the bucket has confirmed. */
  receivedBytes: number
  readonly #context: Pick<Context, 'db' | 'storage' | 'clock'>
  readonly #parts: Parts
  readonly #directory: string
  readonly #upload: UploadRow & { writer: string }
  #sentParts: number
  #sending: Promise<void> = Promise.resolve()
  #oldTail: string | null
  #hasNew = false
  #part: PartFile | undefined

  constructor(
    context: Pick<Context, 'db' | 'storage' | 'clock'>,
    parts: Parts,
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

  /** Stores what came after the last whole part. */
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
    const partTag = await this.#parts.send(sourceKey, partsId, this.#sentParts + 1, range)
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
    if (!tail) throw new AppError('gone', 'This upload is no more: please begin it again')
    await pipeline(createReadStream(tail.path), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) await part.append(chunk)
    })
  }

  async #note(received: { partTag?: string; tailKey?: string; receivedBytes: number }): Promise<void> {
    const { db, storage, clock } = this.#context
    const { id, writer } = this.#upload
    if (!(await updateReceived(db, id, writer, received, clock.now())))
      throw new AppError('conflict', 'Another request goes on with this upload')
    this.receivedBytes = received.receivedBytes
    const tail = this.#oldTail
    this.#oldTail = null
    if (tail !== null) await storage.delete(tail)
  }
}

/** A part while it is still growing: a file of this machine, deleted when disposed of. */
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

  /** The file with these bytes alone, for somebody who takes it away. */
  async finish(): Promise<string> {
    await this.#file.truncate(this.sizeBytes)
    return this.path
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close()
    await rm(this.path, { force: true })
  }
}
