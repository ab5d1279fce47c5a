import { type FileHandle, link, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { FileStore } from '@tus/file-store'
import type { Upload } from '@tus/server'
import { LRUCache } from 'lru-cache'
import { isDiskFull } from '@kinora/platform/files/disk-full.ts'
import { codeOf } from '@kinora/platform/errors.ts'
import { Flushing } from '@kinora/platform/files/flushing.ts'
import { freeMemory } from '@kinora/platform/files/growing-file.ts'
import { ownName } from '@kinora/platform/process-identity.ts'
import { writeFully } from '@kinora/platform/files/write-fully.ts'
import { continuedElsewhere } from '../rules.ts'
import type { UploadLocker } from './upload-locker.ts'
import type { OpenUpload, UploadLimit, UploadStore } from './upload-store.ts'
import { orWhenMissing } from '@kinora/platform/files/or-when-missing.ts'

/**
 * Uploads in a folder. Bytes are appended to a file, whose size is the offset to continue from. A metadata file next to
 * it names the owner. Data is flushed to disk while it arrives, so that little is left to do after the last byte.
 */
export class FolderUploads extends FileStore implements UploadStore {
  readonly #incoming: string
  readonly #room: UploadLimit
  readonly locker: UploadLocker
  /** Owners of uploads, so that listing them reads each metadata file once. */
  readonly #owners = new LRUCache<string, string>({ max: 10_000 })
  /** The pending flush after the last request of an upload, which the next request has to await before its own. */
  readonly #flushes = new Map<string, Promise<void>>()

  constructor(directory: string, incoming: string, room: UploadLimit, locker: UploadLocker) {
    super({ directory })
    this.#incoming = incoming
    this.#room = room
    this.locker = locker
  }

  override create(upload: Upload): Promise<Upload> {
    return this.#room.begin(this, upload, {
      prepare: async () => undefined,
      insert: () => super.create(upload),
      undo: async () => undefined,
    })
  }

  grow(upload: Upload, bytes: number): Promise<void> {
    return this.#room.grow(this, upload, bytes)
  }

  async listIds(ownerId: string): Promise<string[]> {
    const names = await readdir(this.directory).catch(orWhenMissing([]))
    const ids = names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length))
    const owners = await Promise.all(ids.map((id) => this.#ownerOf(id)))
    return ids.filter((_, at) => owners[at] === ownerId)
  }

  /** Cached, because the owner of an upload never changes. */
  async #ownerOf(id: string): Promise<string | null | undefined> {
    const known = this.#owners.get(id)
    if (known !== undefined) return known
    // The upload may be deleted after its name was listed.
    const upload = await this.getUpload(id).catch(() => undefined)
    const owner = upload?.metadata?.['ownerId']
    if (typeof owner === 'string') this.#owners.set(id, owner)
    return owner
  }

  /**
   * A hard link to the bytes: publishing may move it away, and the upload survives a failure. No request writes to the file any
   * more: none holds the lock, and the next one finds the upload complete.
   */
  async open(id: string): Promise<OpenUpload> {
    const videoFile = path.join(this.#incoming, ownName())
    await mkdir(this.#incoming, { recursive: true })
    await this.locker.hold(id, () => link(this.fileOf(id), videoFile))
    return { videoFile, [Symbol.asyncDispose]: () => rm(videoFile, { force: true }) }
  }

  fileOf(id: string): string {
    return path.join(this.directory, id)
  }

  /**
   * Appends the body and returns the new size; the caller holds the lock of the upload. Bytes before a failure are kept. Throws
   * errors of the disk, and `conflict` if another request has continued the upload since the lock was lost.
   */
  override async write(body: Readable, id: string, offset: number): Promise<number> {
    const file = await open(this.fileOf(id), 'r+')
    const flushing = new Flushing(file, this.#flushes.get(id))
    let end = offset
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        if (!this.locker.isHeld(id)) await this.#takeLockAgain(id, file, end)
        await writeFully(file, chunk, end)
        const { length } = chunk
        freeMemory(chunk)
        end += length
        await flushing.noteBytes(length)
      }
      return end
    } finally {
      this.#flushLater(id, file, flushing)
    }
  }

  async #takeLockAgain(id: string, file: FileHandle, end: number): Promise<void> {
    const isTaken = await this.locker.takeAgain(id)
    const [own, current] = await Promise.all([
      file.stat(),
      stat(this.fileOf(id)).catch(orWhenMissing(undefined)),
    ])
    if (!isTaken || own.size !== end || own.ino !== current?.ino) throw continuedElsewhere()
  }

  /** Flushes in the background; only the next part and the publication wait for it. */
  #flushLater(id: string, file: FileHandle, flushing: Flushing): void {
    const flush = async () => {
      // A failed fsync is reported once: data that was not stored must not count as received.
      await flushing.rest().catch(async (error: unknown) => {
        // If the removal fails as well, the job that clears stale uploads repeats it.
        if (isDiskFailure(error)) await this.remove(id).catch(() => undefined)
      })
      // The data is flushed or removed; a failed close changes neither.
      await file.close().catch(() => undefined)
      if (this.#flushes.get(id) === flushed) this.#flushes.delete(id)
    }
    const flushed = flush()
    this.#flushes.set(id, flushed)
  }
}

const isDiskFailure = (error: unknown) => isDiskFull(error) || codeOf(error) === 'EIO'
