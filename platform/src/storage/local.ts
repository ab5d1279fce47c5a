import { constants, createReadStream, existsSync, type Stats } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { errors } from '@kinora/contract/errors.ts'
import { AppError, codeOf } from '../errors.ts'
import { applyEdits, type FileEdit } from '../files/file-edits.ts'
import { newId } from '../ids.ts'
import {
  assertKey,
  assertPrefix,
  type Body,
  type ByteRange,
  type StreamingPut,
  type ObjectInfo,
  type LocalFile,
  DRAFTS_PREFIX,
  type Storage,
  type StoredObject,
} from './storage.ts'

const isMissing = (error: unknown) => ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(codeOf(error) ?? '')

/** The error for a storage directory that is missing or cannot be read. */
export const storageUnavailable = (cause: unknown) =>
  new AppError(errors.storageTimeout, {
    retryAfterSeconds: 5,
    cause,
  })

/** Storage in a local directory. Objects are files, written to the drafts directory and renamed into place. */
export class LocalStorage implements Storage {
  readonly parts = undefined
  readonly #root: string
  /** Files that are being written. Drafts of killed processes remain until they are swept. */
  readonly #drafts: string
  /** The directory is created by the first write. If it disappears later (unmounted disk), the storage is unavailable. */
  #hasRoot: boolean
  /** A missing file means a missing object, unless the storage directory itself is missing. */
  readonly #undefinedIfMissing = async (error: unknown): Promise<undefined> => {
    if (!isMissing(error)) throw error
    await this.#assertRoot(error)
  }
  readonly #explain = async (error: unknown): Promise<never> => {
    await this.#assertRoot(error)
    throw error
  }

  constructor(root: string) {
    this.#root = root
    this.#drafts = draftsOf(root)
    this.#hasRoot = existsSync(root)
  }

  async put(key: string, body: Body): Promise<void> {
    const target = this.pathOf(key)
    const put = 'file' in body ? this.#move(body.file, target) : this.#write(target, body)
    await put.catch(this.#explain)
    this.#hasRoot = true
  }

  async putOnce(key: string, bytes: Uint8Array): Promise<void> {
    await this.#write(this.pathOf(key), bytes, linkIn).catch(this.#explain)
    this.#hasRoot = true
  }

  /** Does nothing: `put` renames a local file. */
  putWhileReceiving(): StreamingPut {
    return { grown: () => undefined, [Symbol.asyncDispose]: async () => undefined }
  }

  async edit(key: string, _file: string, edits: readonly FileEdit[]): Promise<void> {
    const target = this.pathOf(key)
    const draft = path.join(this.#drafts, newId())
    try {
      await mkdir(this.#drafts, { recursive: true })
      // file systems that can share blocks copy nothing
      await copyFile(target, draft, constants.COPYFILE_FICLONE)
      await applyEdits(draft, edits)
      await this.#move(draft, target)
    } catch (error) {
      await rm(draft, { force: true })
      await this.#explain(error)
    }
  }

  async #move(from: string, target: string): Promise<void> {
    try {
      await sync(from)
      await moveIn(from, target)
    } catch (error) {
      if (codeOf(error) !== 'EXDEV') throw error
      await this.#write(target, createReadStream(from))
      return rm(from, { force: true })
    }
    await syncDirectoryOf(target)
  }

  async #write(target: string, body: Uint8Array | Readable, place = moveIn): Promise<void> {
    await mkdir(this.#drafts, { recursive: true })
    const draft = path.join(this.#drafts, newId())
    try {
      await writeDurably(draft, body)
      await place(draft, target)
      await syncDirectoryOf(target)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }

  async get(key: string, range?: ByteRange): Promise<(ObjectInfo & { body: Readable }) | undefined> {
    const file = await open(this.pathOf(key)).catch(this.#undefinedIfMissing)
    const info = file && describe(await file.stat())
    if (!info) {
      await file?.close()
      return undefined
    }
    return { ...info, body: file.createReadStream(range) }
  }

  async head(key: string): Promise<ObjectInfo | undefined> {
    const stats = await stat(this.pathOf(key)).catch(this.#undefinedIfMissing)
    return stats && describe(stats)
  }

  async delete(keyOrPrefix: string): Promise<void> {
    if (keyOrPrefix.endsWith('/')) {
      assertPrefix(keyOrPrefix)
      // retries: other processes may write below the prefix
      await rm(path.join(this.#root, keyOrPrefix), {
        recursive: true,
        force: true,
        maxRetries: 10,
        retryDelay: 10,
      }).catch(this.#explain)
    } else {
      await unlink(this.pathOf(keyOrPrefix)).catch(this.#undefinedIfMissing)
    }
    await this.#deleteEmptyAbove(keyOrPrefix)
  }

  /** Deletes parent directories that became empty. */
  async #deleteEmptyAbove(keyOrPrefix: string): Promise<void> {
    const above = path.dirname(keyOrPrefix)
    if (above === '.') return
    const isEmpty = await rmdir(path.join(this.#root, above)).then(
      () => true,
      () => false,
    )
    if (isEmpty) await this.#deleteEmptyAbove(above)
  }

  async *list(prefix: string): AsyncIterable<StoredObject> {
    assertPrefix(prefix)
    for await (const file of this.#files(prefix)) {
      const stats = await stat(path.join(this.#root, file)).catch(this.#undefinedIfMissing)
      if (stats) yield { key: file, sizeBytes: stats.size }
    }
  }

  async *#files(prefix: string): AsyncIterable<string> {
    const entries = await readdir(path.join(this.#root, prefix), { withFileTypes: true }).catch(
      this.#undefinedIfMissing,
    )
    // directories are sorted with their slash, so that `a.b` comes before `a/b`, as in the order of keys
    const names = (entries ?? []).map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    for (const name of names.toSorted((a, b) => (a < b ? -1 : 1))) {
      if (prefix + name === DRAFTS_PREFIX) continue
      if (name.endsWith('/')) yield* this.#files(prefix + name)
      else yield prefix + name
    }
  }

  /** Does nothing: the job that cleans local directories also deletes drafts. */
  async sweep(): Promise<void> {}

  pathOf(key: string): string {
    assertKey(key)
    return path.join(this.#root, key)
  }

  async open(key: string): Promise<LocalFile | undefined> {
    const stats = await stat(this.pathOf(key)).catch(this.#undefinedIfMissing)
    return stats?.isFile()
      ? { path: this.pathOf(key), [Symbol.asyncDispose]: async () => undefined }
      : undefined
  }

  async presignedUrl(): Promise<undefined> {
    return undefined
  }

  async close(): Promise<void> {}

  async #assertRoot(cause: unknown): Promise<void> {
    // `cause` is the failure to report; this only finds out whether the whole directory is gone.
    const root = await stat(this.#root).catch(() => undefined)
    if (root?.isDirectory()) this.#hasRoot = true
    else if (root || this.#hasRoot) throw storageUnavailable(cause)
  }
}

/** Returns undefined for directories and other special files. */
function describe(stats: Stats): ObjectInfo | undefined {
  return stats.isFile() ? { sizeBytes: stats.size, etag: etagOf(stats) } : undefined
}

/** Returns an ETag that changes with every version of the file. */
export function etagOf({ size, mtimeMs, ino }: Stats): string {
  return `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}-${ino.toString(36)}"`
}

/** The drafts directory of a storage directory: on the same file system, so that files can be renamed into place. */
export const draftsOf = (root: string) => path.join(root, DRAFTS_PREFIX)

async function writeDurably(file: string, body: Uint8Array | Readable): Promise<void> {
  const handle = await open(file, 'wx')
  try {
    await handle.writeFile(body)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function sync(file: string): Promise<void> {
  const handle = await open(file)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A concurrent deletion may remove the new directory before the file is in it. */
const MAX_MOVE_ATTEMPTS = 5

function moveIn(from: string, target: string): Promise<void> {
  return intoDirectory(target, () => rename(from, target))
}

/** Moves a file unless the target exists; deletes it otherwise. */
async function linkIn(from: string, target: string): Promise<void> {
  try {
    await intoDirectory(target, () => link(from, target))
  } catch (error) {
    if (hardLinkErrors.has(codeOf(error))) return moveIn(from, target)
    if (codeOf(error) !== 'EEXIST') throw error
  }
  await rm(from, { force: true })
}

/** Errors of file systems without hard links. */
const hardLinkErrors = new Set<unknown>(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

async function intoDirectory(target: string, place: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await mkdir(path.dirname(target), { recursive: true })
      return await place()
    } catch (error) {
      // a directory that is deleted while it is created causes either error
      if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '') || tries === MAX_MOVE_ATTEMPTS) throw error
    }
  }
}

/** A rename is durable only after its directory is synced. A directory that was deleted needs no sync. */
async function syncDirectoryOf(file: string): Promise<void> {
  await sync(path.dirname(file)).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
  })
}
