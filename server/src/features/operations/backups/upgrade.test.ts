import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Client } from 'pg'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../../context/config.ts'
import { withClient } from '@kinora/platform/db/client.ts'
import { migrate } from '@kinora/platform/db/migrate.ts'
import { migrationsDirectory } from '../../../context/migrations.ts'
import { withDb } from '@kinora/platform/db/pool.ts'
import { LocalStorage } from '@kinora/platform/storage/local.ts'
import { describeSchema } from '../../../testing/fixtures/describe-schema.ts'
import { createTestDatabase } from '@kinora/platform/testing/test-database.ts'
import { Repository } from './actions/repository.ts'
import { restore } from './actions/restore.ts'
import { upgradeDatabase } from './actions/upgrade.ts'

const fixture = readFileSync(join(import.meta.dirname, '../../../testing/fixtures/kinora-0.2.0.sql'), 'utf8')
const schema = readFileSync(join(import.meta.dirname, '../../../../schema.sql'), 'utf8')
const dataDir = mkdtempSync(join(tmpdir(), 'kinora-upgrade-'))
const database = await createTestDatabase()
const connect = <T>(work: (client: Client) => Promise<T>) => withClient(database.url, work)
const upgrade = () => upgradeDatabase(readConfig({ DATA_DIR: dataDir }), database.url)

beforeEach(() =>
  connect(async (client) => {
    await client.query('drop schema public cascade; create schema public')
    await client.query(fixture)
  }),
)
afterAll(async () => {
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Comments exist where the migrations created the tables. */
const withoutComments = (text: string) => text.replaceAll(/^comment on .*\n/gm, '')

/** Rows of 0.2.0 that no migration changes. */
async function readContent(client: Client): Promise<unknown> {
  const read = async (statement: string) => (await client.query({ text: statement, rowMode: 'array' })).rows
  return {
    users: await read('select username, email, subscribers_count from users order by username'),
    videos: await read(
      'select title, visibility, views, likes_count, tags, source from videos order by title',
    ),
    comments: await read(
      'select content, likes_count, replies_count, is_pinned from comments order by content',
    ),
    notifications: await read('select kind, user_id, is_read from notifications order by id'),
    playlists: await read('select title, entries_count from playlists order by title'),
  }
}

test('upgrades a site of 0.2.0, and restores the backup that it made', async () => {
  const before = await connect(readContent)
  expect(before).toMatchObject({
    users: [
      ['ana', 'Ana@example.org', 2],
      ['ben', 'ben@example.org', 0],
      ['cem', 'cem@example.org', 0],
    ],
    comments: [
      ['Peace', 0, 0, false],
      ['Thank you', 0, 0, false],
      ['Well seen, @ana', 1, 1, true],
    ],
  })
  const { applied, backup } = await upgrade()
  expect(applied.at(0)).toBe('0088-reference-bytes.sql')
  expect(withoutComments(await withDb(database.url, describeSchema))).toBe(withoutComments(schema))
  expect(await connect(readContent)).toEqual(before)
  // a later migration indexes its words without points
  const { rows } = await connect((client) =>
    client.query<{ title: string }>(`select title from videos join video_search on video_id = id
      where document @@ plainto_tsquery('simple', 'שלום')`),
  )
  expect(rows).toEqual([{ title: 'שָׁלוֹם עוֹלָם' }])
  expect((await upgrade()).applied).toEqual([])

  await connect((client) => client.query('delete from comments'))
  const repository = new Repository(join(dataDir, 'backups/before-upgrades'))
  const snapshot = basename(backup ?? '')
  // 0.2.0 restores it with the migrations that it knows
  expect((await repository.readManifest(snapshot)).migrations.at(-1)).toBe('0087-large-tables.sql')
  const target = {
    databaseUrl: database.url,
    storage: new LocalStorage(join(dataDir, 'storage')),
    repository,
  }
  await restore(target, snapshot, { replace: true, skipMissing: false }, () => {})
  expect(await connect(readContent)).toEqual(before)
  expect(await withDb(database.url, describeSchema)).toBe(schema)
})

test('refuses a site from before 0.2.0, and names the version to pass through', async () => {
  await connect((client) => client.query("delete from migrations where name > '0052'"))
  const reason =
    'The database is of a version before 0.2.0 (its last migration is 0051-own-sessions.sql). Upgrade it to Kinora 0.2.0 first, then to this version.'
  await expect(upgrade()).rejects.toThrow(reason)
  await expect(migrate(database.url, migrationsDirectory)).rejects.toThrow(reason)
})
