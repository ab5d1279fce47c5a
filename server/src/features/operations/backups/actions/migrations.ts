import { compareMigrations } from '@kinora/platform/db/migrate.ts'
import { migrationsDirectory } from '../../../../context/migrations.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'
import type { Manifest } from './repository.ts'

/** Throws `StartupError` for a backup of a newer version, or of one before 0.2.0. */
export async function assertMigrations({ migrations }: Manifest): Promise<void> {
  const { unknown } = await compareMigrations(migrations, migrationsDirectory)
  if (unknown.length === 0) return
  throw new StartupError(
    `This backup was made by a newer Kinora (its database knows ${unknown.join(', ')}): upgrade first.`,
  )
}
