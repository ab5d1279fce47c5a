import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withClient } from '@kinora/platform/db/client.ts'
import { startEmbedded } from '@kinora/platform/db/embedded/embedded.ts'
import { listMigrations, migrate } from '@kinora/platform/db/migrate.ts'
import { migrationsDirectory } from '../context/migrations.ts'
import { runInProcess } from '../testing/fixtures/run-in-process.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'

test('dumps the database before a migration, and the dump can be restored', async () => {
  const dataDir = temporaryDirectory()
  const quiet = { info: () => undefined, warn: () => undefined }
  const files = await listMigrations(migrationsDirectory)
  const server = await startEmbedded({ dataDir, log: quiet })
  await migrate(server.url, migrationsDirectory, files.slice(0, -1))
  await withClient(server.url, (client) =>
    client.query(`insert into users (id, username, email, fullname, password_hash, avatar)
      values ('1', 'before', 'before@example.org', 'Before', '-', '-')`),
  )
  await server.stop()

  const looked = await runInProcess(['upgrade', '--check', '--json'], { DATA_DIR: dataDir })
  expect(looked).toMatchObject({ exitCode: 1, json: { missing: files.slice(-1) } })
  const upgraded = await runInProcess(['upgrade', '--json'], { DATA_DIR: dataDir })
  expect(upgraded).toMatchObject({ exitCode: 0, json: { applied: files.slice(-1) } })
  expect(upgraded.json.backup).toContain(join(dataDir, 'backups/before-upgrades/snapshots'))
  expect(await runInProcess(['upgrade', '--check'], { DATA_DIR: dataDir })).toMatchObject({ exitCode: 0 })
  const again = await runInProcess(['upgrade', '--json'], { DATA_DIR: dataDir })
  expect(again).toMatchObject({ exitCode: 0, json: { applied: [], backup: null } })

  const backups = join(dataDir, 'backups/before-upgrades')
  const target = temporaryDirectory()
  expect(await runInProcess(['restore', backups], { DATA_DIR: target })).toMatchObject({ exitCode: 0 })
  const listed = await runInProcess(['user', 'list', '--json'], { DATA_DIR: target })
  expect(listed.json).toMatchObject([{ username: 'before' }])

  const newer = await startEmbedded({ dataDir, log: quiet })
  await withClient(newer.url, (client) =>
    client.query("insert into migrations (name) values ('9999-future.sql')"),
  )
  await newer.stop()
  const refused = await runInProcess(['upgrade'], { DATA_DIR: dataDir })
  expect(refused).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining('The database was migrated by a newer Kinora (9999-future.sql).'),
  })
})
