import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Client, Pool } from 'pg'
import { DatabaseClient } from './database-client.ts'

/** The migrations of this program. */
export const migrationsDirectory = path.join(import.meta.dirname, '../../../migrations')

// arbitrary, but the same in every process
const lockKey = 7_316_802

/**
 * Applies the missing SQL files of `directory` in the order of their names, each in its own transaction. An advisory
 * lock serializes concurrent calls. `only` limits the call to these files.
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
    const applied = new Set(await listApplied(client))
    const missing = (await listMigrations(directory)).filter(
      (file) => !applied.has(file) && (only?.includes(file) ?? true),
    )
    for (const file of missing) await apply(client, directory, file)
    return missing
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
  const applied = new Set(rows.map(({ name }) => name))
  const missing = (await listMigrations(directory)).filter((name) => !applied.has(name))
  if (missing[0]) throw new Error(`${missing[0]} is not applied yet`)
}

/** Returns the applied migrations; none for an empty database. */
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
