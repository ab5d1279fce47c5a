import path from 'node:path'
import type { Config } from '../../../../context/config.ts'
import { compareMigrations, listApplied, migrate } from '@kinora/platform/db/migrate.ts'
import { migrationsDirectory } from '../../../../context/migrations.ts'
import { findDatabaseProblems } from '@kinora/platform/db/find-database-problems.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'
import { backUpDatabase } from './back-up.ts'
import { withClient } from '@kinora/platform/db/client.ts'
import type { Progress } from '@kinora/platform/progress.ts'
import { Repository } from './repository.ts'

export interface Upgrade {
  applied: string[]
  /** Path of the backup of the database before the migration; null if it was empty. */
  backup: string | null
}

/**
 * Migrates a database to this version, after a backup if it is not empty. Throws `StartupError` for a database of a
 * newer version, which rows of this version could break, or of one before 0.2.0.
 */
export async function upgradeDatabase(
  { dataDir, backupBeforeUpgrade }: Pick<Config, 'dataDir' | 'backupBeforeUpgrade'>,
  databaseUrl: string,
  print: Progress = () => {},
): Promise<Upgrade> {
  const before = await withClient(databaseUrl, listApplied)
  const { missing, unknown } = await compareMigrations(before, migrationsDirectory)
  if (unknown.length > 0)
    throw new StartupError(
      `The database was migrated by a newer Kinora (${unknown.join(', ')}). Start that version, or restore the backup that it made before: \`kinora restore ${path.join(dataDir, 'backups', 'before-upgrades')} --replace\` loses everything since.`,
    )
  if (missing.length > 0) {
    const problems = await withClient(databaseUrl, findDatabaseProblems)
    if (problems.length > 0) throw new StartupError(problems.join(' '))
  }
  const isWorthKeeping = before.length > 0 && missing.length > 0 && backupBeforeUpgrade
  const repository = new Repository(path.join(dataDir, 'backups', 'before-upgrades'))
  if (isWorthKeeping) print('Backing the database up before it is changed')
  const backup = isWorthKeeping ? await keep(databaseUrl, repository) : null
  if (missing.length > 0) print(`Applying ${missing.length} migrations`)
  return { applied: await migrate(databaseUrl, migrationsDirectory), backup }
}

/** The migrations of this version that are not applied to a database. */
export async function listMissing(databaseUrl: string): Promise<string[]> {
  const applied = await withClient(databaseUrl, listApplied)
  return (await compareMigrations(applied, migrationsDirectory)).missing
}

async function keep(databaseUrl: string, repository: Repository): Promise<string> {
  try {
    const { snapshot } = await backUpDatabase(databaseUrl, repository, new Date())
    return path.join(repository.root, 'snapshots', snapshot)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartupError(
      `The database could not be backed up before its upgrade, and was left as it is (${reason}): make room in DATA_DIR, or set BACKUP_BEFORE_UPGRADE=false.`,
      { cause },
    )
  }
}
