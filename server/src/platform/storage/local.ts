import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, opendir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { newId } from '../ids.ts'
import { assertKey, type Body, type ByteRange, type Storage, type Stored } from './storage.ts'

const isMissing = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

/** Storage in a directory of this machine: an object is a file, written elsewhere in the directory and moved in. */
export class LocalStorage implements Storage {
  readonly root: string
  /** What is being written. Killed processes leave drafts behind, which nobody ever reads. */
  readonly drafts: string

  constructor(root: string) {
    this.root = root
    this.drafts = draftsOf(root)
  }

  /** The file that holds an object. */
  pathOf(key: string): string {
    assertKey(key)
    return path.join(this.root, key)
  }

  async put(key: string, body: Body): Promise<void> {
    const target = this.pathOf(key)
    await mkdir(path.dirname(target), { recursive: true })
    if ('file' in body) return this.#move(body.file, target)
    await this.#write(target, body)
  }

  async #write(target: string, body: Uint8Array | Readable): Promise<void> {
    await mkdir(this.drafts, { recursive: true })
    const draft = path.join(this.drafts, newId())
    try {
      await writeDurably(draft, body)
      await rename(draft, target)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    await syncDirectory(path.dirname(target))
  }

  async #move(from: string, target: string): Promise<void> {
    try {
      await sync(from)
      await rename(from, target)
      await syncDirectory(path.dirname(target))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
      await this.#write(target, createReadStream(from))
      await rm(from, { force: true })
    }
  }

  async get(key: string, range?: ByteRange): Promise<{ sizeBytes: number; body: Readable } | undefined> {
    const file = await open(this.pathOf(key)).catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    })
    if (!file) return undefined
    const { size } = await file.stat()
    return { sizeBytes: size, body: file.createReadStream(range) }
  }

  async delete(keyOrPrefix: string): Promise<void> {
    await rm(this.pathOf(keyOrPrefix), { recursive: true, force: true })
  }

  async *list(prefix: string): AsyncIterable<Stored> {
    const directory = await opendir(this.pathOf(prefix), { recursive: true }).catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    })
    if (!directory) return
    for await (const entry of directory) {
      if (!entry.isFile()) continue
      const file = path.join(entry.parentPath, entry.name)
      const found = await stat(file).catch(() => undefined)
      if (found) yield { key: path.relative(this.root, file), sizeBytes: found.size }
    }
  }

  async url(key: string): Promise<string> {
    return this.pathOf(key)
  }
}

/** Where the storage in a directory keeps its drafts: on the same disk, so that moving one in is a rename. */
export const draftsOf = (root: string) => path.join(root, '.drafts')

async function writeDurably(file: string, body: Uint8Array | Readable): Promise<void> {
  const options = { flag: 'wx', flags: 'wx', flush: true }
  if (body instanceof Uint8Array) await writeFile(file, body, options)
  else await pipeline(body, createWriteStream(file, options))
}

async function sync(file: string): Promise<void> {
  const handle = await open(file)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A rename is durable once the directory is. */
const syncDirectory = sync
