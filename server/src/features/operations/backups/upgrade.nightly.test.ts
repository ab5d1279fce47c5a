import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../context/config.ts'
import { withClient } from '@kinora/platform/db/client.ts'
import { listMigrations, migrate } from '@kinora/platform/db/migrate.ts'
import { migrationsDirectory } from '../../../context/migrations.ts'
import { createTestDatabase } from '@kinora/platform/testing/test-database.ts'
import { upgradeDatabase } from './actions/upgrade.ts'

/** An empty database with the migrations up to a name, and where its backups are. */
async function createOlder(last: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'kinora-upgrade-'))
  const database = await createTestDatabase()
  onTestFinished(async () => {
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const migrations = (await listMigrations(migrationsDirectory)).filter((name) => name <= last)
  await withClient(database.url, (client) => client.query('drop schema public cascade; create schema public'))
  await migrate(database.url, migrationsDirectory, migrations)
  return { url: database.url, dataDir }
}

test.each([
  ['a backup unless it is turned off', {}, true],
  ['no backup with BACKUP_BEFORE_UPGRADE=false', { BACKUP_BEFORE_UPGRADE: 'false' }, false],
])('an upgrade makes %s', async (_, settings, isExpected) => {
  const [before = '', newest] = (await listMigrations(migrationsDirectory)).slice(-2)
  const { url, dataDir } = await createOlder(before)

  const { applied, backup } = await upgradeDatabase(readConfig({ DATA_DIR: dataDir, ...settings }), url)
  expect(applied).toEqual([newest])
  expect(backup !== null).toBe(isExpected)
  expect(existsSync(join(dataDir, 'backups'))).toBe(isExpected)
})

test('an upgrade keeps the chat of a cut stream and a clip of a video that was given away where they belong', async () => {
  const { url, dataDir } = await createOlder('0135-clip-reports.sql')
  await withClient(url, (client) =>
    client.query(`
      insert into users (id, username, email, fullname, password_hash, avatar)
        select name, name, name || '@example.org', name, '-', '-' from unnest(array['ana', 'ben']) name;
      insert into videos (id, owner_id, title, description, thumbnail, source_key, size_bytes, duration_seconds, width, height,
          source, chat_from, chat_until, cut)
        values ('tide', 'ana', 'Tide', '', '-', 'sources/tide/1', 1, 20, 640, 360, '{}', '2026-05-02T08:00Z', '2026-05-02T09:00Z',
          '[{"startSeconds": 10, "endSeconds": 30}]');
      insert into live_streams (video_id, channel_id, format, init, keeps_recording, started_at, seen_at, ended_at)
        values ('tide', 'ana', '{}', '', true, '2026-05-02T08:00Z', '2026-05-02T08:01Z', '2026-05-02T08:01Z');
      insert into chat_messages (id, video_id, user_id, text, sent_at) values ('hi', 'tide', 'ben', 'Hi', '2026-05-02T08:00:12Z');
      insert into clips (id, video_id, user_id, title, start_seconds, end_seconds, created_at)
        values ('wave', 'tide', 'ben', 'Wave', 12, 14, now());
      update clips set channel_id = 'ben'`),
  )
  await upgradeDatabase(readConfig({ DATA_DIR: dataDir, BACKUP_BEFORE_UPGRADE: 'false' }), url)
  const found = await withClient(url, (client) =>
    client.query(`
      select file_seconds, channel_id, plays_intros, announced_visibility
      from videos v join chat_messages m on m.video_id = v.id join clips c on c.video_id = v.id`),
  )
  const now = { file_seconds: 12, channel_id: 'ana', plays_intros: true, announced_visibility: null }
  expect(found.rows).toEqual([now])
})
