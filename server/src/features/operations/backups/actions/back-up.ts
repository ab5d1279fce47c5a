import { lstat } from 'node:fs/promises'
import type { Client } from 'pg'
import { pictureIdOf } from '../../../pictures/rules.ts'
import { forEachConcurrently } from '@kinora/platform/concurrency/for-each-concurrently.ts'
import { listApplied } from '@kinora/platform/db/migrate.ts'
import type { Storage } from '@kinora/platform/storage/storage.ts'
import { formatBytes } from '@kinora/platform/format-bytes.ts'
import type { Progress } from '@kinora/platform/progress.ts'
import { withClient } from '@kinora/platform/db/client.ts'
import { dumpTables, withSnapshot } from '../queries/dump.ts'
import type { KeepOutcome, KeptFile, Manifest, Repository } from './repository.ts'
import { storagePrefixes } from '../../../../context/storage-keys.ts'

export interface BackupResult {
  snapshot: string
  rows: number
  files: number
  bytes: number
  /** Files that rows reference and the storage does not have. */
  missing: string[]
  /** Files that were damaged in the backup and were copied from the storage again. */
  repaired: string[]
  /** Files that are damaged in the backup and cannot be copied again, with every snapshot that needs them. */
  damaged: { key: string; snapshots: string[] }[]
  /** Number of sources outside of the storage, which it only refers to: the backup does not have them. */
  references: number
}

interface BackupSources {
  databaseUrl: string
  storage: Storage
  repository: Repository
}

/** A bucket serves several as fast as one. */
const filesAtOnce = 4

/** A row that is deleted before its file is copied requires another database snapshot. */
const maxAttempts = 5

/**
 * Backs up a running site. Existing files are copied first, which may take long. Then the database is dumped as of one
 * moment, and files created in between are copied. Storage keys are never reused, so each row finds its file. If a row
 * of that moment is deleted before its file is copied, the dump is repeated.
 */
export function backUp(sources: BackupSources, now: Date, progress: Progress): Promise<BackupResult> {
  return sources.repository.withoutPruning(() => backUpAll(sources, now, progress))
}

async function backUpAll(
  { databaseUrl, storage, repository }: BackupSources,
  now: Date,
  progress: Progress,
): Promise<BackupResult> {
  const recorded = await readRecorded(repository)
  const results = new Map<string, { outcome: KeepOutcome; file?: KeptFile }>()
  const references = new Set<string>()
  const keepAll = async (wanted: WantedFiles) => {
    const missing: string[] = []
    const keys = await resolveKeys(storage, wanted, missing)
    const done = { files: 0, bytes: 0 }
    await forEachConcurrently(keys, filesAtOnce, async (key) => {
      if (await isReference(storage, key)) {
        references.add(key)
        return
      }
      const earlier = results.get(key)
      const result =
        earlier && earlier.outcome !== 'missing'
          ? earlier
          : await repository.keep(storage, key, recorded.get(key))
      results.set(key, result)
      if (result.outcome === 'missing') missing.push(key)
      done.files += 1
      done.bytes += result.file?.sizeBytes ?? 0
      progress(`Keeping files: ${done.files} of ${keys.length}, ${formatBytes(done.bytes)}`)
    })
    return { files: keys.flatMap((key) => results.get(key)?.file ?? []), missing }
  }
  await keepAll(await withClient(databaseUrl, listWanted))

  const { snapshot, manifest } = await repository.write(snapshotName(now), async (tables) => {
    for (let attempt = 1; ; attempt += 1) {
      progress('Writing the database down')
      const moment = await withSnapshot(databaseUrl, async (client) => ({
        migrations: await listApplied(client),
        dumps: await dumpTables(client, tables),
        wanted: await listWanted(client),
      }))
      const { files, missing } = await keepAll(moment.wanted)
      const stillWanted = missing.length > 0 ? await withClient(databaseUrl, listWanted) : undefined
      const isDeletedSince = missing.some((key) => stillWanted && !isWanted(stillWanted, key))
      if (isDeletedSince && attempt < maxAttempts) continue
      const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
      const written: Manifest = {
        format: 1,
        madeAt: now.toISOString(),
        migrations: moment.migrations,
        tables: moment.dumps,
        files: { count: files.length, bytes },
        missing,
      }
      return { manifest: written, files }
    }
  })
  const withOutcome = (wanted: KeepOutcome) =>
    [...results].filter(([, { outcome }]) => outcome === wanted).map(([key]) => key)
  const damaged = await Promise.all(
    withOutcome('damaged').map(async (key) => ({ key, snapshots: await repository.listSnapshotsWith(key) })),
  )
  return {
    ...summaryOf(snapshot, manifest),
    repaired: withOutcome('repaired'),
    damaged,
    references: references.size,
  }
}

/** Whether an object is a symbolic link to a file outside of the storage, as imports of folders make them. */
async function isReference(storage: Storage, key: string): Promise<boolean> {
  const file = storage.pathOf(key)
  if (file === undefined) return false
  const stats = await lstat(file).catch(() => undefined)
  return stats?.isSymbolicLink() ?? false
}

/** Backs up only the database: fast, and enough to revert a migration. */
export async function backUpDatabase(
  databaseUrl: string,
  repository: Repository,
  now: Date,
): Promise<BackupResult> {
  const { snapshot, manifest } = await repository.write(snapshotName(now), async (tables) =>
    withSnapshot(databaseUrl, async (client) => ({
      manifest: {
        format: 1,
        madeAt: now.toISOString(),
        migrations: await listApplied(client),
        tables: await dumpTables(client, tables),
        files: null,
        missing: [],
      },
      files: null,
    })),
  )
  return summaryOf(snapshot, manifest)
}

/** Files referenced by rows: sources by key, pictures by id. */
export interface WantedFiles {
  sources: Set<string>
  pictures: Set<string>
}

export async function listWanted(client: Client): Promise<WantedFiles> {
  const list = async (query: string) => {
    const { rows } = await client.query<{ name: string }>(query)
    return new Set(rows.map(({ name }) => name))
  }
  return {
    // the recording of a live stream still grows
    sources: await list('select source_key as name from videos where not is_live'),
    pictures: await list(`
      select avatar as name from users union select cover_image from users where cover_image is not null
      union select avatar from registrations
      union select cover_image from registrations where cover_image is not null
      union select thumbnail from videos
      union select split_part(value #>> '{}', '/', 4) from site_settings
      where name = 'siteLogo' and value <> 'null'`),
  }
}

/** The keys of these files: a picture has one object for each size. A picture without objects is missing. */
async function resolveKeys(storage: Storage, wanted: WantedFiles, missing: string[]): Promise<string[]> {
  const keys = [...wanted.sources]
  const found = new Set<string>()
  for await (const { key } of storage.list(storagePrefixes.pictures)) {
    const id = pictureIdOf(key)
    if (!wanted.pictures.has(id)) continue
    found.add(id)
    keys.push(key)
  }
  for (const id of wanted.pictures) if (!found.has(id)) missing.push(`${storagePrefixes.pictures}${id}/`)
  return keys
}

/** Whether a row references an object, or the picture that it belongs to. */
export function isWanted({ sources, pictures }: WantedFiles, key: string): boolean {
  return key.startsWith(storagePrefixes.pictures) ? pictures.has(pictureIdOf(key)) : sources.has(key)
}

/** Size and hash of every file as recorded by the snapshots. The oldest record counts, because files never change. */
async function readRecorded(repository: Repository): Promise<Map<string, KeptFile>> {
  const recorded = new Map<string, KeptFile>()
  for (const snapshot of (await repository.list()).toReversed())
    for await (const file of repository.readFiles(snapshot)) recorded.set(file.key, file)
  return recorded
}

const snapshotName = (now: Date) => now.toISOString().slice(0, 19).replaceAll(':', '-')

function summaryOf(snapshot: string, { tables, files, missing }: Manifest): BackupResult {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return {
    snapshot,
    rows,
    files: files?.count ?? 0,
    bytes: files?.bytes ?? 0,
    missing,
    repaired: [],
    damaged: [],
    references: 0,
  }
}
