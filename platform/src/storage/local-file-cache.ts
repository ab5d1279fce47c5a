import type { Stats } from 'node:fs'
import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { errors } from '@kinora/contract/errors.ts'
import pLimit from 'p-limit'
import { AppError, codeOf } from '../errors.ts'
import { writeFully } from '../files/write-fully.ts'
import { isOwnerRunning, ownName } from '../process-identity.ts'
import type { ByteRange, LocalFile, Storage } from './storage.ts'

/** Objects are fetched in concurrent ranges, because one connection rarely uses the whole bandwidth. */
const rangeBytes = 16 * 1024 * 1024
const concurrentRanges = 6
/** Age at which drafts and links of processes elsewhere are deleted: twice the longest time limit of a job. */
const abandonedMs = 24 * 3600 * 1000
/** Times that an object is fetched and evicted again before anybody could use it. */
const maxFetches = 5

const linkSuffix = '.held'
const draftSuffix = '.part'

/**
 * Cache of remote objects on the local disk, for programs that read only files. Processes may share the directory: a
 * complete file is renamed into place, and each user gets its own hard link. The least recently used files can
 * therefore be evicted at any time. Drafts, and files that only users hold, count as well; as they cannot be evicted, the cache
 * exceeds its limit while there are too many of them, until the next fetch.
 */
export class LocalFileCache {
  readonly #directory: string
  readonly #maxBytes: number
  readonly #objects: Pick<Storage, 'head' | 'get'>
  readonly #fetching = new Map<string, Promise<boolean>>()
  readonly #closing = new AbortController()
  /** Two fetches must not make room for themselves at once. */
  readonly #making = pLimit(1)
  /** Sizes of the objects that this process is fetching, by their drafts. */
  readonly #arriving = new Map<string, number>()

  constructor(
    { directory, maxBytes }: { directory: string; maxBytes: number },
    objects: Pick<Storage, 'head' | 'get'>,
  ) {
    this.#directory = directory
    this.#maxBytes = maxBytes
    this.#objects = objects
  }

  /** Returns the object as a file; undefined if it does not exist. Concurrent calls share one fetch. */
  async open(key: string): Promise<LocalFile | undefined> {
    for (let fetches = 0; ; fetches += 1) {
      const cached = await this.#link(key)
      if (cached) return cached
      if (fetches === maxFetches)
        throw new AppError(errors.diskBusy, {
          retryAfterSeconds: 30,
        })
      const fetching = this.#fetching.get(key) ?? this.#fetch(key).finally(() => this.#fetching.delete(key))
      this.#fetching.set(key, fetching)
      if (!(await fetching)) return undefined
    }
  }

  /** Moves a file with the object's bytes into the cache. Returns whether it succeeded. */
  async adopt(key: string, file: string): Promise<boolean> {
    try {
      await mkdir(this.#directory, { recursive: true })
      const { size } = await stat(file)
      await this.#making(async () => {
        await this.#evictFor(size)
        await rename(file, this.#pathOf(key))
      })
      return true
    } catch {
      // another file system or a full disk: the object is fetched when it is needed
      return false
    }
  }

  /** Evicts a deleted object. */
  async forget(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true })
  }

  /** Aborts running fetches. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the storage is closed'))
    await Promise.allSettled(this.#fetching.values())
  }

  /** Keys contain no tilde, so the mapping is unambiguous. */
  #pathOf(key: string): string {
    return path.join(this.#directory, key.replaceAll('/', '~'))
  }

  async #link(key: string): Promise<LocalFile | undefined> {
    const own = path.join(this.#directory, ownName() + linkSuffix)
    try {
      await link(this.#pathOf(key), own)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
    const now = new Date()
    await utimes(own, now, now)
    return { path: own, [Symbol.asyncDispose]: () => rm(own, { force: true }) }
  }

  async #fetch(key: string): Promise<boolean> {
    const object = await this.#objects.head(key)
    if (!object) return false
    await mkdir(this.#directory, { recursive: true })
    const draft = path.join(this.#directory, ownName() + draftSuffix)
    await this.#making(async () => {
      await this.#evictFor(object.sizeBytes)
      this.#arriving.set(draft, object.sizeBytes)
    })
    try {
      await this.#fetchInto(draft, key, object.sizeBytes)
      return true
    } finally {
      this.#arriving.delete(draft)
    }
  }

  async #fetchInto(draft: string, key: string, sizeBytes: number): Promise<void> {
    const file = await open(draft, 'wx')
    try {
      const limit = pLimit(concurrentRanges)
      const failed = new AbortController()
      const signal = AbortSignal.any([this.#closing.signal, failed.signal])
      await Promise.all(
        rangesOf(sizeBytes).map((range) =>
          limit(() => this.#fetchRange(key, range, file, signal)).catch((error: unknown) => {
            failed.abort(error)
            throw error
          }),
        ),
      )
      await file.close()
      await rename(draft, this.#pathOf(key))
    } catch (error) {
      // The draft is deleted anyway.
      await file.close().catch(() => undefined)
      await rm(draft, { force: true })
      throw error
    }
  }

  async #fetchRange(key: string, range: ByteRange, file: FileHandle, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const object = await this.#objects.get(key, range)
    if (!object) throw new Error(`${key} was deleted while it was being fetched`)
    let at = range.start
    await pipeline(
      object.body,
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) {
          await writeFully(file, chunk, at)
          at += chunk.length
        }
      },
      { signal },
    )
    if (at !== range.end + 1)
      throw new Error(`${key}: received ${at - range.start} bytes of range ${range.start}-${range.end}`)
  }

  /** Evicts the least recently used files until `neededBytes` fit, and deletes what killed processes left. */
  async #evictFor(neededBytes: number): Promise<void> {
    const cached: { file: string; stats: Stats }[] = []
    let total = neededBytes + [...this.#arriving.values()].reduce((sum, size) => sum + size, 0)
    for (const name of await readdir(this.#directory)) {
      const file = path.join(this.#directory, name)
      // Another process may have deleted it since the directory was read.
      const stats = await stat(file).catch(() => undefined)
      if (!stats || this.#arriving.has(file)) continue
      const isLink = name.endsWith(linkSuffix)
      if (!isLink && !name.endsWith(draftSuffix)) {
        total += stats.size
        cached.push({ file, stats })
      } else if (isAbandoned(name, stats)) await rm(file, { force: true })
      // a link to a file that was evicted, or the draft of another process
      else if (!isLink || stats.nlink === 1) total += stats.size
    }
    for (const { file, stats } of cached.toSorted((a, b) => a.stats.mtimeMs - b.stats.mtimeMs)) {
      if (total <= this.#maxBytes) return
      await rm(file, { force: true })
      // a user holds it otherwise
      if (stats.nlink === 1) total -= stats.size
    }
  }
}

function isAbandoned(name: string, { ctimeMs, mtimeMs }: Stats): boolean {
  // creating a link updates ctime, writing a draft updates mtime
  const isOld = Math.max(ctimeMs, mtimeMs) < Date.now() - abandonedMs
  return !(isOwnerRunning(name) ?? !isOld)
}

function rangesOf(sizeBytes: number): ByteRange[] {
  return Array.from({ length: Math.ceil(sizeBytes / rangeBytes) }, (_, index) => ({
    start: index * rangeBytes,
    end: Math.min((index + 1) * rangeBytes, sizeBytes) - 1,
  }))
}
