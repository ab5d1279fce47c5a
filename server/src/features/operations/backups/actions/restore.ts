import { createReadStream } from 'node:fs'
import type { Context } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import { finishEndedStreams } from '../../../live/live-streams/actions/finish-ended.ts'
import { prepareVideo } from '../../../videos/playback/actions/prepare-video.ts'
import { adoptStorage } from '../../site/actions.ts'
import { migrate } from '@kinora/platform/db/migrate.ts'
import { migrationsDirectory } from '../../../../context/migrations.ts'
import { withDb } from '@kinora/platform/db/pool.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'
import type { Storage } from '@kinora/platform/storage/storage.ts'
import type { Progress } from '@kinora/platform/progress.ts'
import { listUnprepared } from '../../../videos/videos/queries/processing.ts'
import { withClient } from '@kinora/platform/db/client.ts'
import { sha256Of } from '@kinora/platform/files/sha256.ts'
import { loadTables } from '../queries/dump.ts'
import { assertMigrations } from './migrations.ts'
import { keptPrefixes, type Manifest, type Repository } from './repository.ts'
import { checkTables } from './verify.ts'
import { listOwn, storagePrefixes } from '../../../../context/storage-keys.ts'

export interface Restoration {
  snapshot: string
  rows: number
  files: number
  bytes: number
  /** Files that are missing or damaged in the backup, with the reason; only with `skipMissing`. */
  skipped: { key: string; reason: string }[]
  /** Files that the storage had lost before the backup was made. */
  missing: string[]
}

/**
 * Restores a snapshot into an empty database and storage, or with `replace` over existing ones. Files are restored
 * first, and the whole backup is verified before anything existing is changed, so a row never lacks its file. Repeat an
 * interrupted restoration with `replace`. With `skipMissing` rows are restored without the files that the backup has
 * lost. Throws `StartupError` for a target that is in use or not empty.
 */
export async function restore(
  { databaseUrl, storage, repository }: { databaseUrl: string; storage: Storage; repository: Repository },
  snapshot: string,
  { replace, skipMissing }: { replace: boolean; skipMissing: boolean },
  progress: Progress,
): Promise<Restoration> {
  const manifest = await repository.readManifest(snapshot)
  await assertMigrations(manifest)
  await assertUnused(databaseUrl)
  if (!replace) await assertEmpty(databaseUrl)
  const problems = await checkTables(repository, snapshot, manifest)
  if (problems.length > 0)
    throw new StartupError(`The backup is damaged, nothing was changed: ${problems.join('; ')}.`)

  const { keys, skipped } = await restoreFiles(
    { repository, storage },
    snapshot,
    manifest,
    skipMissing,
    progress,
  )
  progress('Restoring the database')
  await emptyDatabase(databaseUrl)
  await migrate(databaseUrl, migrationsDirectory, manifest.migrations)
  await withClient(databaseUrl, (client) =>
    loadTables(client, repository.tablesOf(snapshot), manifest.tables),
  )
  await migrate(databaseUrl, migrationsDirectory)
  // The original site may still run elsewhere with its own storage.
  await withDb(databaseUrl, (db: Db) => adoptStorage({ db, storage }))
  if (manifest.files !== null) await deleteOthers(storage, keys)
  return {
    snapshot,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    files: keys.size,
    bytes: manifest.files?.bytes ?? 0,
    skipped,
    missing: manifest.missing,
  }
}

/** The queue is not part of a backup: preparation of unfinished videos starts again, and that of ended streams. */
export async function resumePreparing(context: Context): Promise<void> {
  for (const id of await listUnprepared(context.db)) await prepareVideo(context, id)
  await finishEndedStreams(context)
}

async function assertUnused(databaseUrl: string): Promise<void> {
  const others = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(`
      select distinct application_name as name from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name like 'kinora %'
        and application_name <> 'kinora cli'`)
    return rows.map(({ name }) => name)
  })
  if (others.length > 0)
    throw new StartupError(`The site still uses this database (${others.join(', ')}): stop it first.`)
}

async function assertEmpty(databaseUrl: string): Promise<void> {
  const isEmpty = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ exists: boolean }>(
      "select to_regclass('public.users') is not null as exists",
    )
    if (!rows[0]?.exists) return true
    const { rows: users } = await client.query('select 1 from users limit 1')
    return users.length === 0
  })
  if (!isEmpty)
    throw new StartupError(
      'A site with accounts exists already. Restore to an empty database and DATA_DIR, or use --replace.',
    )
}

async function restoreFiles(
  { repository, storage }: { repository: Repository; storage: Storage },
  snapshot: string,
  { files }: Manifest,
  skipMissing: boolean,
  progress: Progress,
): Promise<{ keys: Set<string>; skipped: Restoration['skipped'] }> {
  const keys = new Set<string>()
  const skipped: Restoration['skipped'] = []
  for await (const { key, sha256 } of repository.readFiles(snapshot)) {
    const file = repository.fileOf(key)
    // A file that is missing or unreadable counts as damaged.
    const actual = await sha256Of(createReadStream(file)).catch(() => undefined)
    if (actual === sha256) {
      await storage.put(key, createReadStream(file))
      keys.add(key)
    } else if (await isIntact(storage, key, sha256)) keys.add(key)
    else {
      const reason = actual === undefined ? 'missing' : 'damaged'
      if (!skipMissing)
        throw new StartupError(
          `${file} is ${reason}: the database was not changed. --skip-missing restores everything else.`,
        )
      skipped.push({ key, reason })
    }
    progress(`Restoring files: ${keys.size} of ${files?.count ?? '?'}`)
  }
  return { keys, skipped }
}

/** Whether the storage has an intact copy of a file that the backup has lost, as when a site is restored in place. */
async function isIntact(storage: Storage, key: string, sha256: string): Promise<boolean> {
  const found = await storage.get(key)
  return found !== undefined && (await sha256Of(found.body)) === sha256
}

async function emptyDatabase(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, (client) =>
    client.query('drop schema if exists pgboss cascade; drop schema public cascade; create schema public'),
  )
}

/** Deletes files of the replaced site that the restored one does not have, and all segments. */
async function deleteOthers(storage: Storage, keys: ReadonlySet<string>): Promise<void> {
  for (const prefix of keptPrefixes) {
    for await (const { key } of listOwn(storage, prefix)) if (!keys.has(key)) await storage.delete(key)
  }
  const videos = new Set<string>()
  for await (const { key } of listOwn(storage, storagePrefixes.segments)) videos.add(key.split('/')[1] ?? '')
  for (const id of videos) await storage.delete(`${storagePrefixes.segments}${id}/`)
}
