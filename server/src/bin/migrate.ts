import { readConfig } from '../context/config.ts'
import { upgradeDatabase } from '../features/operations/backups/actions/upgrade.ts'
import { checkDatabase } from '@kinora/platform/db/external-database.ts'
import { requireDatabaseUrl, runProcess } from '../app/process.ts'

const databaseDeadlineMs = 5000

/** Migrates the database of DATABASE_URL and ends: for sites that start their processes one by one. */
async function migrate(): Promise<void> {
  const config = readConfig()
  const url = requireDatabaseUrl(config)
  await checkDatabase({ ...config, databaseUrl: url }, databaseDeadlineMs)
  await upgradeDatabase(config, url)
}

await runProcess(migrate)
