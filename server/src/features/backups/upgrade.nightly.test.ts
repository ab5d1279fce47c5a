import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { withClient } from '../../platform/db/client.ts'
import { listMigrations, migrate, migrationsDirectory } from '../../platform/db/migrate.ts'
import { withDb } from '../../platform/db/pool.ts'
import { LocalStorage } from '../../platform/storage/local.ts'
import { describeSchema } from '../../testing/fixtures/describe-schema.ts'
import { createTestDatabase } from '../../testing/fixtures/test-database.ts'
import { Repository } from './actions/repository.ts'
import { restore } from './actions/restore.ts'
import { upgradeDatabase } from './actions/upgrade.ts'
import { loadTables } from './queries/dump.ts'

const schemaFile = join(import.meta.dirname, '../../../schema.sql')

test.each([
  ['a backup unless it is turned off', {}, true],
  ['no backup with BACKUP_BEFORE_UPGRADE=false', { BACKUP_BEFORE_UPGRADE: 'false' }, false],
])('an upgrade makes %s', async (_, settings, isExpected) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kinora-upgrade-'))
  const database = await createTestDatabase()
  onTestFinished(async () => {
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const migrations = await listMigrations(migrationsDirectory)
  await withClient(database.url, (client) => client.query('drop schema public cascade; create schema public'))
  await migrate(database.url, migrationsDirectory, migrations.slice(0, -1))

  const { applied, backup } = await upgradeDatabase(
    readConfig({ DATA_DIR: dataDir, ...settings }),
    database.url,
  )
  expect(applied).toEqual(migrations.slice(-1))
  expect(backup !== null).toBe(isExpected)
  expect(existsSync(join(dataDir, 'backups'))).toBe(isExpected)
})

/** The migrations of the first version that ran. */
const firstVersion = 5

/** Two of everything that the first version had. */
const oldContent = `
  insert into users (id, username, email, fullname, password_hash, avatar, cover_image, subscribers_count)
    select 'u' || n, 'Name' || n, 'Name' || n || '@Example.org', 'Name ' || n, '-', 'a' || n, 'c' || n, 1 from generate_series(1, 2) n;
  insert into sessions (token_hash, user_id, expires_at)
    select decode('0' || n, 'hex'), 'u' || n, now() + '1 day' from generate_series(1, 2) n;
  insert into videos (id, owner_id, title, description, thumbnail, source_key, size_bytes, duration_seconds, width, height,
    source, views, processing_state, processing_reason)
    select 'v' || n, 'u' || n, 'Salt flats ' || n, 'Ice & wind', 't' || n, 'sources/v' || n, 9, 2.5, 64, 36, '{}', n,
      case n when 1 then 'ready' else 'failed' end, case n when 2 then 'Damaged' end from generate_series(1, 2) n;
  insert into pending_views (video_id) select id from videos;
  insert into daily_views (video_id, day, views) select id, '2025-01-01', 3 from videos;
  insert into comments (id, video_id, author_id, content) select 'k' || n, 'v1', 'u' || n, 'Well seen' from generate_series(1, 2) n;
  insert into video_likes (video_id, user_id) values ('v1', 'u1'), ('v1', 'u2');
  insert into comment_likes (comment_id, user_id) values ('k1', 'u2');
  insert into subscriptions (subscriber_id, channel_id) values ('u1', 'u2'), ('u2', 'u1');
  insert into watch_history (user_id, video_id, watched_at, position_seconds) values ('u1', 'v1', now(), 1.5), ('u2', 'v1', null, 2);
  insert into prepared_runs (video_id, run) values ('v1', 1)`

interface Table {
  name: string
  columns: string[]
  rows: string[]
}

/** Every table but the list of migrations, with its rows as text; of the given tables only what they have. */
async function readTables(client: Client, only?: readonly Table[]): Promise<Table[]> {
  const { rows: tables } = await client.query<{ name: string; columns: string[] }>(`
    select table_name as name, array_agg(column_name::text order by column_name) as columns
    from information_schema.columns where table_schema = 'public' and table_name <> 'migrations'
    group by table_name order by table_name`)
  const read = async ({ name, columns }: { name: string; columns: string[] }) => {
    const { rows } = await client.query<{ row: string }>(
      `select (row(${columns.join(', ')}))::text as row from ${name} order by 1`,
    )
    return { name, columns, rows: rows.map(({ row }) => row) }
  }
  const result: Table[] = []
  for (const table of only ?? tables) result.push(await read(table))
  return result
}

test('upgrades the first version with its content, and restores the backup that it made', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kinora-upgrade-'))
  const { url, drop } = await createTestDatabase()
  onTestFinished(async () => {
    await drop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const migrations = await listMigrations(migrationsDirectory)
  const first = migrations.slice(0, firstVersion)
  const returnTo = async (wanted: readonly string[]) => {
    await withClient(url, (client) => client.query('drop schema public cascade; create schema public'))
    await migrate(url, migrationsDirectory, wanted)
  }
  await returnTo(first)
  await withClient(url, (client) => client.query(oldContent))
  const before = await withClient(url, (client) => readTables(client))
  expect(before.filter(({ rows }) => rows.length === 0)).toEqual([])

  const { applied, backup } = await upgradeDatabase(readConfig({ DATA_DIR: dataDir }), url)
  expect([...first, ...applied]).toEqual(migrations)
  expect(await withDb(url, describeSchema)).toBe(readFileSync(schemaFile, 'utf8'))
  expect(await withClient(url, (client) => readTables(client, before))).toEqual(before)

  // changes after the upgrade are lost on the way back
  await withClient(url, (client) =>
    client.query(
      `delete from comments; update users set fullname = 'Renamed'; update videos set visibility = 'private'`,
    ),
  )
  const repository = new Repository(join(dataDir, 'backups/before-upgrades'))
  const snapshot = basename(backup ?? '')
  const storage = new LocalStorage(join(dataDir, 'storage'))
  const target = { databaseUrl: url, storage, repository }
  await restore(target, snapshot, { replace: true, skipMissing: false }, () => {})
  expect(await withClient(url, (client) => readTables(client, before))).toEqual(before)
  // the old version restores it with the migrations that it knows
  const manifest = await repository.readManifest(snapshot)
  expect(manifest.migrations).toEqual(first)
  await returnTo(first)
  await withClient(url, (client) => loadTables(client, repository.tablesOf(snapshot), manifest.tables))
  expect(await withClient(url, (client) => readTables(client))).toEqual(before)
})
