import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../context/config.ts'
import { pictureIdOf, picturePrefix } from '../features/pictures/rules.ts'
import { forEachConcurrently } from '@kinora/platform/concurrency/for-each-concurrently.ts'
import { createStorage } from '@kinora/platform/storage/create-storage.ts'
import type { Storage } from '@kinora/platform/storage/storage.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'
import { isWanted, listWanted, type WantedFiles } from '../features/operations/backups/actions/back-up.ts'
import { withClient } from '@kinora/platform/db/client.ts'
import { keptPrefixes } from '../features/operations/backups/actions/repository.ts'
import { sha256Of } from '@kinora/platform/files/sha256.ts'
import type { MoveJournal } from './move-journal.ts'
import { formatBytes } from '@kinora/platform/format-bytes.ts'
import type { Progress } from '@kinora/platform/progress.ts'
import { storagePrefixes } from '../context/storage-keys.ts'

const objectsAtOnce = 4
const attemptsPerObject = 3
/** A busy site changes during every pass. The run after the switch copies the rest. */
const maxPasses = 10

export interface Moved {
  passes: number
  copied: number
  copiedBytes: number
  /** Objects that an earlier run copied and verified. */
  already: number
  /** Copies that were deleted because their video or picture was deleted during the move. */
  deleted: number
  /** Whether the last pass found nothing to copy. */
  isComplete: boolean
  /** Objects that rows reference and both storages lack. */
  missing: string[]
}

/** Opens the storage of a command-line argument. Throws StartupError if it is invalid or cannot be used. */
export async function openPlace(place: string, config: Config): Promise<Storage> {
  if (place === 'disk') return createStorage({ ...config, storageUrl: undefined })
  if (!place.startsWith('s3://'))
    throw new StartupError(
      `${place} is not a storage. Use disk (DATA_DIR/storage) or s3://bucket?endpoint=https://host&region=name.`,
    )
  if (!config.awsAccessKeyId || !config.awsSecretAccessKey)
    throw new StartupError('A bucket requires AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.')
  return createStorage({ ...config, storageUrl: place })
}

/** Returns an id that differs for every site. */
export async function identifyDatabase(databaseUrl: string): Promise<string> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ identity: string }>(
      "select system_identifier || ' ' || current_database() as identity from pg_control_system()",
    )
    return rows[0]?.identity ?? ''
  })
}

interface MovePlaces {
  databaseUrl: string
  from: Storage
  to: Storage
  journal: MoveJournal
}

/**
 * Copies every source and picture that a row references, and reads each copy back to compare its SHA-256. Runs while the
 * site is in use, in passes until one finds nothing to copy, and again after the switch. Objects without a row are not
 * copied, so that deleted videos do not reappear.
 *
 * Throws StartupError if an object is read back with other bytes.
 */
export async function moveStorage(places: MovePlaces, progress: Progress): Promise<Moved> {
  const moved: Moved = {
    passes: 0,
    copied: 0,
    copiedBytes: 0,
    already: 0,
    deleted: 0,
    isComplete: false,
    missing: [],
  }
  while (!moved.isComplete && moved.passes < maxPasses) {
    moved.passes += 1
    const before = moved.copied + moved.deleted
    await makePass(places, moved, progress)
    moved.isComplete = moved.copied + moved.deleted === before
  }
  return moved
}

async function makePass(places: MovePlaces, moved: Moved, progress: Progress): Promise<void> {
  const { databaseUrl, from, to, journal } = places
  progress(`Pass ${moved.passes}: listing objects`)
  // rows are listed before objects, because objects are stored before their rows
  const wanted = await withClient(databaseUrl, listWanted)
  const there = await listKept(to, wanted)
  const here = await listKept(from, wanted)
  const isDone = (key: string, sizeBytes: number) =>
    there.get(key) === sizeBytes && journal.stateOf(key) === 'verified'
  const todo = [...here].filter(([key, sizeBytes]) => !isDone(key, sizeBytes))
  if (moved.passes === 1) moved.already = here.size - todo.length

  await copyAll(places, todo, there, moved, progress)

  const still = await withClient(databaseUrl, listWanted)
  moved.missing = listMissing(wanted, [...here.keys(), ...there.keys()]).filter((key) => isWanted(still, key))
  for (const key of journal.keys()) {
    if (isWanted(still, key)) continue
    await to.delete(key)
    await journal.deleted(key)
    moved.deleted += 1
  }
}

async function copyAll(
  places: MovePlaces,
  todo: readonly [key: string, sizeBytes: number][],
  there: ReadonlyMap<string, number>,
  moved: Moved,
  progress: Progress,
): Promise<void> {
  const total = formatBytes(todo.reduce((sum, [, sizeBytes]) => sum + sizeBytes, 0))
  const done = { objects: 0, bytes: 0 }
  await forEachConcurrently(todo, objectsAtOnce, async ([key, sizeBytes]) => {
    if (await copyPatiently(places, key, there.get(key) === sizeBytes)) {
      moved.copied += 1
      moved.copiedBytes += sizeBytes
    }
    done.objects += 1
    done.bytes += sizeBytes
    progress(
      `Pass ${moved.passes}: ${done.objects} of ${todo.length} objects, ${formatBytes(done.bytes)} of ${total}`,
    )
  })
}

/** Returns the objects of a storage that rows reference, with their sizes. */
async function listKept(storage: Storage, wanted: WantedFiles): Promise<Map<string, number>> {
  const kept = new Map<string, number>()
  for (const prefix of keptPrefixes) {
    for await (const { key, sizeBytes } of storage.list(prefix))
      if (isWanted(wanted, key)) kept.set(key, sizeBytes)
  }
  return kept
}

/** Returns what rows reference and both storages lack: keys of sources, key prefixes of pictures. */
function listMissing({ sources, pictures }: WantedFiles, keys: readonly string[]): string[] {
  const found = new Set(keys)
  const foundPictures = new Set(
    keys.filter((key) => key.startsWith(storagePrefixes.pictures)).map(pictureIdOf),
  )
  return [
    ...[...sources].filter((key) => !found.has(key)),
    ...[...pictures].filter((id) => !foundPictures.has(id)).map(picturePrefix),
  ]
}

/** Transient network failures must not abort a move that takes hours. */
async function copyPatiently(places: MovePlaces, key: string, mayBeThere: boolean): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await copy(places, key, mayBeThere)
    } catch (error) {
      if (attempt === attemptsPerObject || error instanceof StartupError) throw error
      await delay(1000 * 2 ** attempt)
    }
  }
}

/** Returns false if the object was deleted. `mayBeThere`: the new storage has an unverified object of the same size. */
async function copy({ from, to, journal }: MovePlaces, key: string, mayBeThere: boolean): Promise<boolean> {
  if (mayBeThere) {
    const [before, after] = [await hashOf(from, key), await hashOf(to, key)]
    if (before !== undefined && before === after) {
      await journal.verified(key, before)
      return true
    }
  }
  const found = await from.get(key)
  if (!found) return false
  const hash = createHash('sha256')
  try {
    await journal.begin(key)
    await to.put(key, Readable.from(hashing(found.body, hash)))
  } finally {
    found.body.destroy()
  }
  const sha256 = hash.digest('hex')
  const stored = await hashOf(to, key)
  // the site may have deleted it there already
  if (stored === undefined) return false
  if (stored !== sha256) {
    await to.delete(key)
    throw new StartupError(
      `${key} was read back from the new storage with different bytes, and was deleted there. Run the move again. If it fails again, one of the two storages is faulty.`,
    )
  }
  await journal.verified(key, sha256)
  return true
}

async function hashOf(storage: Storage, key: string): Promise<string | undefined> {
  const found = await storage.get(key)
  return found && sha256Of(found.body)
}

async function* hashing(body: Readable, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of body as AsyncIterable<Buffer>) {
    hash.update(chunk)
    yield chunk
  }
}
