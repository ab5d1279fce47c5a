import { parseJson } from '@kinora/contract/parse-json.ts'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import {
  constants,
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { hourMs } from '@kinora/platform/durations.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { type FileLock, isWithoutLocks, lockFile } from '@kinora/platform/files/file-lock.ts'
import { makeDirectory } from '@kinora/platform/files/data-dir.ts'
import { codeOf } from '@kinora/platform/errors.ts'
import { LocalStorage } from '@kinora/platform/storage/local.ts'
import type { Storage } from '@kinora/platform/storage/storage.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'
import { orWhenMissing } from '@kinora/platform/files/or-when-missing.ts'
import { sha256Of } from '@kinora/platform/files/sha256.ts'
import { storagePrefixes } from '../../../../context/storage-keys.ts'

export const KeptFile = z.object({ key: z.string(), sizeBytes: z.number(), sha256: z.string() })
/** A source or a picture as recorded by a snapshot. */
export type KeptFile = z.infer<typeof KeptFile>

/** Result of `keep`: an intact copy, a damaged copy that was replaced, one that could not be replaced, or no object. */
export type KeepOutcome = 'kept' | 'repaired' | 'damaged' | 'missing'

/** Description of a snapshot. */
export const Manifest = z.object({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  /** The migrations applied to the database, to restore it at the same version. */
  migrations: z.array(z.string()),
  tables: z.array(
    z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number(), sha256: z.string() }),
  ),
  /** Null for a backup of only the database. */
  files: z.object({ count: z.number(), bytes: z.number() }).nullable(),
  /** Files that rows reference and that the storage had already lost. */
  missing: z.array(z.string()),
})
export type Manifest = z.infer<typeof Manifest>

/** Storage prefixes that are backed up; segments can be encoded again. */
export const keptPrefixes = [storagePrefixes.sources, storagePrefixes.pictures] as const

const abandonedAfterMs = 24 * hourMs

/** Deletion of old snapshots ends within seconds to minutes. */
const lockIntervalMs = 1000

const touch = (file: string) => utimes(file, new Date(), new Date())

/**
 * A directory of backups. Sources and pictures never change under their name, so all snapshots share them: the second
 * backup copies what is new.
 *
 *     files/<key>                    sources and pictures
 *     snapshots/<time>/manifest.json, files.jsonl.gz, tables/<name>.copy.gz
 */
export class Repository {
  readonly root: string

  constructor(root: string) {
    this.root = path.resolve(root)
  }

  /** Creates the directory if needed. Throws `StartupError` if that fails. */
  prepare(): void {
    try {
      makeDirectory(this.root, 0o700)
    } catch (cause) {
      throw new StartupError(`${this.root} cannot be made (${codeOf(cause)}): name another directory.`, {
        cause,
      })
    }
  }

  /** The snapshots, oldest first; their names are their start times. */
  async list(): Promise<string[]> {
    const names = await readdir(path.join(this.root, 'snapshots')).catch(orWhenMissing([]))
    return names.filter((name) => !name.endsWith('.part')).sort()
  }

  /** The snapshot of this name, or the newest. Throws `StartupError` if there is none. */
  async find(name: string | undefined): Promise<string> {
    const names = await this.list()
    const found = name === undefined ? names.at(-1) : names.find((known) => known === name)
    if (found !== undefined) return found
    const wanted = name === undefined ? 'no backup' : `no backup called ${name}`
    const known = names.length > 0 ? ` There are: ${names.join(', ')}.` : ''
    throw new StartupError(`There is ${wanted} in ${this.root}.${known}`)
  }

  tablesOf(snapshot: string): string {
    return path.join(this.root, 'snapshots', snapshot, 'tables')
  }

  /** Throws `StartupError` for a damaged manifest, or one of a newer version. */
  async readManifest(snapshot: string): Promise<Manifest> {
    const file = path.join(this.root, 'snapshots', snapshot, 'manifest.json')
    // An unreadable manifest is as useless as a damaged one: the message below covers both.
    const parsed = Manifest.safeParse(parseJson(await readFile(file, 'utf8').catch(() => '')))
    if (!parsed.success) throw new StartupError(`${file} is missing or damaged: this backup cannot be used.`)
    return parsed.data
  }

  async *readFiles(snapshot: string): AsyncIterable<KeptFile> {
    const file = path.join(this.root, 'snapshots', snapshot, 'files.jsonl.gz')
    if (!existsSync(file)) return
    const lines = createInterface({ input: createReadStream(file).pipe(createGunzip()), crlfDelay: Infinity })
    for await (const line of lines) yield KeptFile.parse(JSON.parse(line))
  }

  /**
   * Creates a snapshot atomically: `fill` writes the tables and returns the rest of the manifest. Returns the name,
   * which differs from the wanted one if that exists.
   */
  async write(
    wanted: string,
    fill: (tables: string) => Promise<{ manifest: Manifest; files: KeptFile[] | null }>,
  ): Promise<{ snapshot: string; manifest: Manifest }> {
    this.prepare()
    await this.#deleteAbandoned()
    const snapshot = await this.#begin(wanted)
    const draft = this.#draftOf(snapshot)
    // copying the files of a large site changes nothing in the draft for days
    const touching = setInterval(() => void touch(draft).catch(() => undefined), hourMs)
    try {
      await mkdir(path.join(draft, 'tables'), { mode: 0o700 })
      const { manifest, files } = await fill(path.join(draft, 'tables'))
      if (files) {
        const lines = Readable.from(files.map((file) => `${JSON.stringify(file)}\n`))
        await pipeline(
          lines,
          createGzip(),
          createWriteStream(path.join(draft, 'files.jsonl.gz'), { flush: true }),
        )
      }
      await writeFile(path.join(draft, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, {
        flush: true,
      })
      await rename(draft, path.join(this.root, 'snapshots', snapshot))
      return { snapshot, manifest }
    } catch (error) {
      await rm(draft, { recursive: true, force: true })
      throw error
    } finally {
      clearInterval(touching)
    }
  }

  /** Reserves an unused snapshot name: two backups may start within a second. */
  async #begin(wanted: string): Promise<string> {
    const snapshots = path.join(this.root, 'snapshots')
    await mkdir(snapshots, { recursive: true, mode: 0o700 })
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? wanted : `${wanted}-${count}`
      const isOurs = await mkdir(this.#draftOf(name), { mode: 0o700 }).then(
        () => true,
        (error: unknown) => {
          if (codeOf(error) !== 'EEXIST') throw error
          return false
        },
      )
      if (!isOurs) continue
      if (!existsSync(path.join(snapshots, name))) return name
      await rm(this.#draftOf(name), { recursive: true })
    }
  }

  /** Deletes unfinished snapshots of killed processes; that of a backup in progress is touched every hour. */
  async #deleteAbandoned(): Promise<void> {
    const snapshots = path.join(this.root, 'snapshots')
    const names = await readdir(snapshots).catch(orWhenMissing([]))
    for (const name of names.filter((each) => each.endsWith('.part'))) {
      const draft = path.join(snapshots, name)
      const changes = await Promise.all(
        [draft, path.join(draft, 'tables')].map((file) =>
          stat(file).then(
            ({ mtimeMs }) => mtimeMs,
            () => 0,
          ),
        ),
      )
      if (Date.now() - Math.max(...changes) > abandonedAfterMs)
        await rm(draft, { recursive: true, force: true })
    }
  }

  #draftOf(snapshot: string): string {
    return path.join(this.root, 'snapshots', `${snapshot}.part`)
  }

  fileOf(key: string): string {
    return path.join(this.root, 'files', key)
  }

  /**
   * Copies an object of the storage into the backup, or verifies the existing copy by its recorded hash. A damaged copy
   * is replaced by the object of the storage. On one disk a copy is a hard link, which takes no space.
   */
  async keep(
    storage: Storage,
    key: string,
    recorded: KeptFile | undefined,
  ): Promise<{ outcome: KeepOutcome; file?: KeptFile }> {
    const target = this.fileOf(key)
    const existing = await describeFile(key, target)
    if (existing && recorded && isSame(existing, recorded)) return { outcome: 'kept', file: recorded }

    const draft = `${target}.part`
    if (!(await this.#fetch(storage, key, draft)))
      return recorded && existing ? { outcome: 'damaged', file: recorded } : { outcome: 'missing' }
    const fetched = await describeFile(key, draft)
    if (!fetched) throw new Error(`${draft} is gone`)
    // Sources and pictures never change, so an object that differs from its record is damaged in the storage too.
    if (recorded && !isSame(fetched, recorded)) {
      await rm(draft)
      return { outcome: 'damaged', file: recorded }
    }
    await rename(draft, target)
    return { outcome: existing && !isSame(existing, fetched) ? 'repaired' : 'kept', file: fetched }
  }

  /** Downloads an object into the file `draft`. False if it does not exist. */
  async #fetch(storage: Storage, key: string, draft: string): Promise<boolean> {
    await mkdir(path.dirname(draft), { recursive: true, mode: 0o700 })
    await rm(draft, { force: true })
    const file = storage.pathOf(key)
    if (file !== undefined) return linkFile(file, draft)
    const found = await storage.get(key)
    if (!found) return false
    await pipeline(found.body, createWriteStream(draft, { flush: true }))
    return true
  }

  /** The snapshots that list a file. */
  async listSnapshotsWith(key: string): Promise<string[]> {
    const snapshots: string[] = []
    for (const name of await this.list())
      for await (const file of this.readFiles(name)) if (file.key === key) snapshots.push(name)
    return snapshots
  }

  /** Runs `work`, during which `prune` deletes nothing: a backup keeps files before a snapshot references them. */
  async withoutPruning<T>(work: () => Promise<T>): Promise<T> {
    let lock = this.#lock('shared')
    while (lock === 'taken') {
      await delay(lockIntervalMs)
      lock = this.#lock('shared')
    }
    try {
      return await work()
    } finally {
      lock?.close()
    }
  }

  /** Some network disks have no locks. There, nothing is excluded. Throws `StartupError` for a file of somebody else. */
  #lock(kind: 'shared' | 'exclusive'): FileLock | 'taken' | undefined {
    this.prepare()
    const file = path.join(this.root, 'prune.lock.db')
    try {
      return lockFile(file, kind) ?? 'taken'
    } catch (cause) {
      if (isWithoutLocks(cause)) return undefined
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new StartupError(
        `${file} cannot be locked (${reason}). Give ${this.root} to the user of the site.`,
        {
          cause,
        },
      )
    }
  }

  /**
   * Deletes all but the newest `count` snapshots, and the files that none of those reference. Returns the numbers of
   * both, or undefined while a backup runs.
   */
  async prune(count: number): Promise<{ snapshots: number; files: number } | undefined> {
    const lock = this.#lock('exclusive')
    if (lock === 'taken') return undefined
    try {
      return await this.#prune(count)
    } finally {
      lock?.close()
    }
  }

  async #prune(count: number): Promise<{ snapshots: number; files: number }> {
    const names = await this.list()
    const old = names.slice(0, Math.max(0, names.length - count))
    for (const name of old) await rm(path.join(this.root, 'snapshots', name), { recursive: true })
    if (old.length === 0) return { snapshots: 0, files: 0 }
    const needed = new Set<string>()
    for (const name of await this.list()) {
      for await (const { key } of this.readFiles(name)) needed.add(key)
    }
    let files = 0
    const kept = new LocalStorage(path.join(this.root, 'files'))
    for (const prefix of keptPrefixes) {
      for await (const { key } of kept.list(prefix)) {
        if (needed.has(key)) continue
        await rm(this.fileOf(key))
        files += 1
      }
    }
    return { snapshots: old.length, files }
  }
}

/** Size and hash of a file; undefined if it does not exist. */
async function describeFile(key: string, file: string): Promise<KeptFile | undefined> {
  const found = await stat(file).catch(() => undefined)
  if (!found) return undefined
  return { key, sizeBytes: found.size, sha256: await sha256Of(createReadStream(file)) }
}

function isSame(one: KeptFile, other: KeptFile): boolean {
  return one.sizeBytes === other.sizeBytes && one.sha256 === other.sha256
}

/** Creates a hard link, or a copy that shares its blocks if the disk supports that. False if there is no file. */
async function linkFile(source: string, target: string): Promise<boolean> {
  try {
    await link(source, target)
    return true
  } catch {
    // Another disk, or one without hard links: copied below.
  }
  try {
    await copyFile(source, target, constants.COPYFILE_FICLONE)
    await using handle = await open(target)
    await handle.sync()
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/** The default directory of backups. */
export const defaultRepository = ({ dataDir }: { dataDir: string }): Repository =>
  new Repository(path.join(dataDir, 'backups'))
