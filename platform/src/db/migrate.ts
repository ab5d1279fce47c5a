import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Client, Pool } from 'pg'
import { StartupError } from '../startup-error.ts'
import { DatabaseClient } from './database-client.ts'

/**
 * The schema of 0.2.0 in one file. Databases of that version have recorded the migrations that led to it, up to
 * `replaces`; these records stay, so that 0.2.0 can restore a backup made before an upgrade.
 */
const baseline = { name: '0001-baseline.sql', replaces: '0087-large-tables.sql' }

// arbitrary, but the same in every process
const lockKey = 7_316_802

/**
 * Applies the missing SQL files of `directory` in the order of their names, each in its own transaction. An advisory
 * lock serializes concurrent calls. `only` limits the call to these files, as a database or a backup has recorded them.
 *
 * Returns the names of the applied files. Throws if a file fails, after rolling it back.
 */
export async function migrate(
  connectionString: string,
  directory: string,
  only?: readonly string[],
): Promise<string[]> {
  const client = new DatabaseClient({ connectionString })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const { missing } = await compareMigrations(await listApplied(client), directory)
    const wanted = only ? toCurrentNames(only) : missing
    const files = missing.filter((file) => wanted.includes(file))
    for (const file of files) await apply(client, directory, file)
    return files
  } finally {
    await client.end()
  }
}

/** Returns the migrations of a directory in the order in which they are applied. */
export async function listMigrations(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort()
}

/** Throws when the database lacks migrations of this version. */
export async function assertMigrated(pool: Pool, directory: string): Promise<void> {
  const { rows } = await pool.query<{ name: string }>('select name from migrations')
  const { missing } = await compareMigrations(
    rows.map(({ name }) => name),
    directory,
  )
  if (missing[0]) throw new Error(`${missing[0]} is not applied yet`)
}

/**
 * Compares recorded migrations with those of `directory`. `missing` are not applied yet, `unknown` ones are of a newer
 * version. Throws `StartupError` for a database from before the baseline.
 */
export async function compareMigrations(
  recorded: readonly string[],
  directory: string,
): Promise<{ missing: string[]; unknown: string[] }> {
  const applied = toCurrentNames(recorded)
  const known = await listMigrations(directory)
  return {
    missing: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  }
}

/** The names of this version for recorded migrations: the baseline instead of those that it replaces. */
function toCurrentNames(recorded: readonly string[]): string[] {
  const replaced = recorded.filter((name) => name !== baseline.name && name <= baseline.replaces)
  if (replaced.length > 0 && !replaced.includes(baseline.replaces))
    throw new StartupError(
      `The database is of a version before 0.2.0 (its last migration is ${replaced.toSorted().at(-1)}). Upgrade it to Kinora 0.2.0 first, then to this version.`,
    )
  const later = recorded.filter((name) => !replaced.includes(name))
  return replaced.length > 0 ? [baseline.name, ...later] : later
}

/** Returns the recorded migrations; none for an empty database. */
export async function listApplied(client: Client): Promise<string[]> {
  const { rows: tables } = await client.query("select 1 where to_regclass('public.migrations') is not null")
  if (tables.length === 0) return []
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
  return rows.map(({ name }) => name)
}

async function apply(client: Client, directory: string, file: string): Promise<void> {
  const statements = await readFile(path.join(directory, file), 'utf8')
  try {
    await client.query('begin')
    await client.query(statements)
    await client.query('insert into migrations (name) values ($1)', [file])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`The migration ${file} failed.`, { cause: error })
  }
}
