import type { Stats } from 'node:fs'
import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { codeOf } from '../errors.ts'
import { newId } from '../ids.ts'
import { Semaphore } from '../concurrency/semaphore.ts'
import { writeFully } from '../files/write-fully.ts'
import type { ByteRange, LocalFile, Storage } from './storage.ts'

/** A copy comes in ranges side by side: one connection rarely fills the line. */
const rangeBytes = 16 * 1024 * 1024
const rangesAtOnce = 6
/** What a killed process left: no fetch is silent for so long, and nobody holds a file longer. */
const abandonedMs = 6 * 3600 * 1000

const heldSuffix = '.held'
const draftSuffix = '.part'

/**
 * Copies of remote objects on this machine's disk, for programs that read nothing but files. Processes may share the
 * directory: a copy appears whole under its name, whoever needs it gets a link of its own, and so the ones that were
 * not needed for the longest can be deleted at any moment.
 */
export class Copies {
  readonly #directory: string
  readonly #maxBytes: number
  readonly #objects: Pick<Storage, 'find' | 'get'>
  readonly #fetching = new Map<string, Promise<boolean>>()
  readonly #closing = new AbortController()

  constructor(
    { directory, maxBytes }: { directory: string; maxBytes: number },
    objects: Pick<Storage, 'find' | 'get'>,
  ) {
    this.#directory = directory
    this.#maxBytes = maxBytes
    this.#objects = objects
  }

  /** The object as a file; fetched once, however many ask for it. Undefined when there is no such object. */
  async open(key: string): Promise<LocalFile | undefined> {
    for (;;) {
      const held = await this.#hold(key)
      if (held) return held
      const fetching = this.#fetching.get(key) ?? this.#fetch(key).finally(() => this.#fetching.delete(key))
      this.#fetching.set(key, fetching)
      if (!(await fetching)) return undefined
    }
  }

  /** Takes over a file that holds the object's bytes. Answers whether it could. */
  async adopt(key: string, file: string): Promise<boolean> {
    try {
      await mkdir(this.#directory, { recursive: true })
      await this.#makeRoom((await stat(file)).size)
      await rename(file, this.#pathOf(key))
      return true
    } catch {
      // on another file system, or out of room: it can be fetched
      return false
    }
  }

  /** Deletes the copy of an object that is no more. */
  async forget(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true })
  }

  /** Ends the fetches that are under way. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the storage is closed'))
    await Promise.allSettled(this.#fetching.values())
  }

  /** No key has a tilde. */
  #pathOf(key: string): string {
    return path.join(this.#directory, key.replaceAll('/', '~'))
  }

  async #hold(key: string): Promise<LocalFile | undefined> {
    const copy = this.#pathOf(key)
    const own = path.join(this.#directory, newId() + heldSuffix)
    try {
      await link(copy, own)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
    const now = new Date()
    await utimes(own, now, now)
    return { path: own, [Symbol.asyncDispose]: () => rm(own, { force: true }) }
  }

  async #fetch(key: string): Promise<boolean> {
    const found = await this.#objects.find(key)
    if (!found) return false
    await mkdir(this.#directory, { recursive: true })
    await this.#makeRoom(found.sizeBytes)
    const draft = path.join(this.#directory, newId() + draftSuffix)
    const file = await open(draft, 'wx')
    try {
      const semaphore = new Semaphore(rangesAtOnce)
      const failed = new AbortController()
      const signal = AbortSignal.any([this.#closing.signal, failed.signal])
      await Promise.all(
        rangesOf(found.sizeBytes).map((range) =>
          semaphore
            .run(() => this.#fetchRange(key, range, file, signal))
            .catch((error: unknown) => {
              failed.abort(error)
              throw error
            }),
        ),
      )
      await file.close()
      await rename(draft, this.#pathOf(key))
      return true
    } catch (error) {
      await file.close().catch(() => undefined)
      await rm(draft, { force: true })
      throw error
    }
  }

  async #fetchRange(key: string, range: ByteRange, file: FileHandle, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const found = await this.#objects.get(key, range)
    if (!found) throw new Error(`${key} was deleted while it was fetched`)
    let at = range.start
    await pipeline(
      found.body,
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) {
          await writeFully(file, chunk, at)
          at += chunk.length
        }
      },
      { signal },
    )
    if (at !== range.end + 1)
      throw new Error(`${key} came with ${at - range.start} bytes of ${range.start}-${range.end}`)
  }

  /** Deletes copies until another one fits, those first that were not needed for the longest, and what was left behind. */
  async #makeRoom(neededBytes: number): Promise<void> {
    const names = await readdir(this.#directory)
    const copies: { file: string; stats: Stats }[] = []
    for (const name of names) {
      const file = path.join(this.#directory, name)
      const stats = await stat(file).catch(() => undefined)
      if (!stats) continue
      if (!name.endsWith(heldSuffix) && !name.endsWith(draftSuffix)) copies.push({ file, stats })
      // a link is new by its status, and a draft by its content
      else if (Math.max(stats.ctimeMs, stats.mtimeMs) < Date.now() - abandonedMs)
        await rm(file, { force: true })
    }
    let total = neededBytes + copies.reduce((sum, { stats }) => sum + stats.size, 0)
    for (const { file, stats } of copies.toSorted((a, b) => a.stats.mtimeMs - b.stats.mtimeMs)) {
      if (total <= this.#maxBytes) return
      await rm(file, { force: true })
      total -= stats.size
    }
  }
}

function rangesOf(sizeBytes: number): ByteRange[] {
  return Array.from({ length: Math.ceil(sizeBytes / rangeBytes) }, (_, index) => ({
    start: index * rangeBytes,
    end: Math.min((index + 1) * rangeBytes, sizeBytes) - 1,
  }))
}
