import { createReadStream, existsSync, type Stats } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { AppError, codeOf } from '../errors.ts'
import { applyEdits, type FileEdit } from '../files/file-edits.ts'
import { newId } from '../ids.ts'
import {
  assertKey,
  assertPrefix,
  type Body,
  type ByteRange,
  type EarlyPut,
  type Found,
  type LocalFile,
  DRAFTS,
  type Storage,
  type Stored,
} from './storage.ts'

const isMissing = (error: unknown) => ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(codeOf(error) ?? '')

/** What is said where no file can be looked for. */
export const storageAway = (cause: unknown) =>
  new AppError('unavailable', 'The storage does not answer at the moment', { retryAfterSeconds: 5, cause })

/** Storage in a directory of this machine: an object is a file, written elsewhere in the directory and moved in. */
export class LocalStorage implements Storage {
  readonly parts = undefined
  readonly #root: string
  /** What is being written. Killed processes leave drafts behind, which nobody ever reads. */
  readonly #drafts: string
  /** Before anything is stored there is no directory; once there was one, it must be there. */
  #hasRoot: boolean
  /** A key below that of an object is not there; where the directory itself is none, nobody knows what is. */
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

  /** Nothing to begin with: a file on this machine is stored by its new name. */
  putEarly(): EarlyPut {
    return { grown: () => undefined, [Symbol.asyncDispose]: async () => undefined }
  }

  async edit(key: string, _file: string, edits: readonly FileEdit[]): Promise<void> {
    const target = this.pathOf(key)
    await applyEdits(target, edits).catch(this.#explain)
    await sync(target)
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

  async get(key: string, range?: ByteRange): Promise<(Found & { body: Readable }) | undefined> {
    const file = await open(this.pathOf(key)).catch(this.#undefinedIfMissing)
    const found = file && describe(await file.stat())
    if (!found) {
      await file?.close()
      return undefined
    }
    return { ...found, body: file.createReadStream(range) }
  }

  async find(key: string): Promise<Found | undefined> {
    const stats = await stat(this.pathOf(key)).catch(this.#undefinedIfMissing)
    return stats && describe(stats)
  }

  async delete(keyOrPrefix: string): Promise<void> {
    if (keyOrPrefix.endsWith('/')) {
      assertPrefix(keyOrPrefix)
      // others may be writing there
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

  /** Directories go with the last that was in them. */
  async #deleteEmptyAbove(keyOrPrefix: string): Promise<void> {
    const above = path.dirname(keyOrPrefix)
    if (above === '.') return
    const isEmpty = await rmdir(path.join(this.#root, above)).then(
      () => true,
      () => false,
    )
    if (isEmpty) await this.#deleteEmptyAbove(above)
  }

  async *list(prefix: string): AsyncIterable<Stored> {
    assertPrefix(prefix)
    for await (const file of this.#files(prefix)) {
      const found = await stat(path.join(this.#root, file)).catch(this.#undefinedIfMissing)
      if (found) yield { key: file, sizeBytes: found.size }
    }
  }

  async *#files(prefix: string): AsyncIterable<string> {
    const entries = await readdir(path.join(this.#root, prefix), { withFileTypes: true }).catch(
      this.#undefinedIfMissing,
    )
    // a folder is compared as what its keys begin with, so that `a.b` comes before `a/b`
    const names = (entries ?? []).map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    for (const name of names.toSorted((a, b) => (a < b ? -1 : 1))) {
      if (prefix + name === DRAFTS) continue
      if (name.endsWith('/')) yield* this.#files(prefix + name)
      else yield prefix + name
    }
  }

  /** Drafts are deleted with all else that is left on a machine's disk. */
  async sweep(): Promise<void> {}

  pathOf(key: string): string {
    assertKey(key)
    return path.join(this.#root, key)
  }

  async open(key: string): Promise<LocalFile | undefined> {
    const found = await stat(this.pathOf(key)).catch(this.#undefinedIfMissing)
    return found?.isFile()
      ? { path: this.pathOf(key), [Symbol.asyncDispose]: async () => undefined }
      : undefined
  }

  async addressOf(): Promise<undefined> {
    return undefined
  }

  async close(): Promise<void> {}

  async #assertRoot(cause: unknown): Promise<void> {
    const root = await stat(this.#root).catch(() => undefined)
    if (root?.isDirectory()) this.#hasRoot = true
    else if (root || this.#hasRoot) throw storageAway(cause)
  }
}

/** Undefined for what is no file. */
function describe(stats: Stats): Found | undefined {
  return stats.isFile() ? { sizeBytes: stats.size, etag: etagOf(stats) } : undefined
}

/** Tells one state of a file from every other. */
export function etagOf({ size, mtimeMs, ino }: Stats): string {
  return `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}-${ino.toString(36)}"`
}

/** Where the storage in a directory keeps its drafts: on the same disk, so that moving one in is a rename. */
export const draftsOf = (root: string) => path.join(root, DRAFTS)

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

/** Whoever deletes what is below a prefix may take the directory away again before the file is in it. */
const MOVE_TRIES = 5

function moveIn(from: string, target: string): Promise<void> {
  return intoDirectory(target, () => rename(from, target))
}

/** Moves a file to where none is; one that is there stays, and the other is gone. */
async function linkIn(from: string, target: string): Promise<void> {
  try {
    await intoDirectory(target, () => link(from, target))
  } catch (error) {
    if (linkless.has(codeOf(error))) return moveIn(from, target)
    if (codeOf(error) !== 'EEXIST') throw error
  }
  await rm(from, { force: true })
}

/** From file systems on which a file has one name. */
const linkless = new Set<unknown>(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

async function intoDirectory(target: string, place: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await mkdir(path.dirname(target), { recursive: true })
      return await place()
    } catch (error) {
      // one that is taken away while it is made is told of as either
      if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '') || tries === MOVE_TRIES) throw error
    }
  }
}

/** A rename is durable once the directory is; one that is gone went with what was in it. */
async function syncDirectoryOf(file: string): Promise<void> {
  await sync(path.dirname(file)).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
  })
}
