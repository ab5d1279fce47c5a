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
