import { operationErrors } from '@kinora/contract/operations/errors.ts'
import type { Backup } from '@kinora/contract/operations/backups.ts'
import type { Context } from '../../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'
import { record } from '../../administration/actions/audit-log.ts'
import type { Actor } from '../../administration/rules.ts'
import { runBackup } from '../jobs.ts'
import { defaultRepository, type Repository } from './repository.ts'

/** Whether a backup or a verification waits or runs. */
export async function isRunning({ jobs }: Pick<Context, 'jobs'>): Promise<boolean> {
  const queue = (await jobs.summarize()).find(({ name }) => name === runBackup.name)
  return queue !== undefined && queue.waiting + queue.running > 0
}

/** The newest backups. */
export async function listNewest(repository: Repository, limit: number): Promise<Backup[]> {
  const names = (await repository.list()).toReversed().slice(0, limit)
  return Promise.all(names.map((name) => describe(repository, name)))
}

async function describe(repository: Repository, name: string): Promise<Backup> {
  try {
    const { tables, files, missing } = await repository.readManifest(name)
    return {
      name,
      isUsable: true,
      rows: tables.reduce((sum, { rows }) => sum + rows, 0),
      files: files?.count ?? null,
      bytes: files?.bytes ?? null,
      missing: missing.length,
    }
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    return { name, isUsable: false, rows: 0, files: null, bytes: null, missing: 0 }
  }
}

/** Starts a backup, or with a name the verification of that one. Throws `not_found`, and `conflict` while one runs. */
export async function start(
  context: Pick<Context, 'db' | 'clock' | 'jobs' | 'config'>,
  actor: Actor,
  verified: string | null,
): Promise<void> {
  if (verified !== null && !(await defaultRepository(context.config).list()).includes(verified))
    throw new AppError(operationErrors.backupNotFound)
  await context.db.transaction().execute(async (db) => {
    if (!(await context.jobs.enqueue(db, runBackup, { verified }, { key: 'run' })))
      throw new AppError(operationErrors.backupRunning)
    const action = verified === null ? 'create_backup' : 'verify_backup'
    await record({ ...context, db }, actor, action, [{ subject: verified ?? 'new' }])
  })
}
