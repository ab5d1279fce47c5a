import type { Client } from 'pg'
import { pictureIdOf, picturesPrefix } from '../../features/pictures/rules.ts'
import { listApplied } from '../../platform/db/migrate.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { forEachInTurn } from '../../platform/turns.ts'
import { formatBytes, type Progress } from '../output.ts'
import { dumpTables, withClient, withSnapshot } from './dump.ts'
import type { KeptFile, Manifest, Repository } from './repository.ts'

export interface BackupResult {
  snapshot: string
  rows: number
  files: number
  bytes: number
  /** Files that rows speak of and the storage has lost. */
  missing: string[]
}

/** A bucket answers many as fast as one. */
const filesAtOnce = 4

/** A row deleted while its file was being kept asks for another look at the database; nobody deletes for ever. */
const maxAttempts = 5

/**
 * Backs a site up while it runs. What is there is kept first, which may take long; then the database is written down
 * as it is at one moment, and what came meanwhile is kept. Names are never used again, so each row finds its file; where
 * a row of that moment is deleted before its file is kept, a later moment is taken.
 */
export async function backUp(
  { databaseUrl, storage, repository }: { databaseUrl: string; storage: Storage; repository: Repository },
  now: Date,
  progress: Progress,
): Promise<BackupResult> {
  const known = await readKnown(repository)
  const keepAll = async (wanted: WantedFiles) => {
    const missing: string[] = []
    const keys = await resolveKeys(storage, wanted, missing)
    const done = { files: 0, bytes: 0 }
    await forEachInTurn(keys, filesAtOnce, async (key) => {
      const kept = await repository.keep(storage, key, known)
      if (kept) known.set(key, kept)
      else missing.push(key)
      done.files += 1
      done.bytes += kept?.sizeBytes ?? 0
      progress(`Keeping files: ${done.files} of ${keys.length}, ${formatBytes(done.bytes)}`)
    })
    return { files: keys.flatMap((key) => known.get(key) ?? []), missing }
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
  return summaryOf(snapshot, manifest)
}

/** Writes only the database down: quick, and enough to go back before a migration. */
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

/** What rows speak of: sources by their key, pictures by their id. */
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
    sources: await list('select source_key as name from videos'),
    pictures: await list(`
      select avatar as name from users union select cover_image from users where cover_image is not null
      union select thumbnail from videos`),
  }
}

/** The objects behind them: a picture has one for each size. A picture without any is missing. */
async function resolveKeys(storage: Storage, wanted: WantedFiles, missing: string[]): Promise<string[]> {
  const keys = [...wanted.sources]
  const found = new Set<string>()
  for await (const { key } of storage.list(picturesPrefix)) {
    const id = pictureIdOf(key)
    if (!wanted.pictures.has(id)) continue
    found.add(id)
    keys.push(key)
  }
  for (const id of wanted.pictures) if (!found.has(id)) missing.push(`${picturesPrefix}${id}/`)
  return keys
}

/** Whether a row speaks of an object, or of the picture that it belongs to. */
export function isWanted({ sources, pictures }: WantedFiles, key: string): boolean {
  return key.startsWith(picturesPrefix) ? pictures.has(pictureIdOf(key)) : sources.has(key)
}

/** What the last snapshot knows need not be read again. */
async function readKnown(repository: Repository): Promise<Map<string, KeptFile>> {
  const known = new Map<string, KeptFile>()
  const last = (await repository.list()).at(-1)
  if (last) for await (const file of repository.readFiles(last)) known.set(file.key, file)
  return known
}

const snapshotName = (now: Date) => now.toISOString().slice(0, 19).replaceAll(':', '-')

function summaryOf(snapshot: string, { tables, files, missing }: Manifest): BackupResult {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return { snapshot, rows, files: files?.count ?? 0, bytes: files?.bytes ?? 0, missing }
}
