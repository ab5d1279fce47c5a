import { listMigrations, migrationsDirectory } from '../../../platform/db/migrate.ts'
import { StartupError } from '../../../platform/startup-error.ts'
import type { Manifest } from './repository.ts'

/** Throws `StartupError` for a backup with migrations that this version does not have. */
export async function assertMigrations({ migrations }: Manifest): Promise<void> {
  const known = new Set(await listMigrations(migrationsDirectory))
  const unknown = migrations.filter((name) => !known.has(name))
  if (unknown.length === 0) return
  throw new StartupError(
    `This backup was made by a newer Kinora (its database knows ${unknown.join(', ')}): upgrade first.`,
  )
}
