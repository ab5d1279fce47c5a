import type { BackupRun } from '@kinora/contract/operations/backups.ts'
import type { Db } from '../../../../context/database.ts'

export async function findRun(db: Db): Promise<BackupRun | null> {
  const run = await db
    .selectFrom('backupRun')
    .select(['kind', 'progress', 'problems', 'startedAt', 'endedAt'])
    .executeTakeFirst()
  if (!run) return null
  return { ...run, startedAt: run.startedAt.toISOString(), endedAt: run.endedAt?.toISOString() ?? null }
}

/** Replaces the last run. */
export async function putRun(
  db: Db,
  { kind, startedAt }: { kind: BackupRun['kind']; startedAt: Date },
): Promise<void> {
  const run = { kind, startedAt, progress: '', problems: [], endedAt: null }
  await db
    .insertInto('backupRun')
    .values(run)
    .onConflict((conflict) => conflict.column('onlyRow').doUpdateSet(run))
    .execute()
}

/** Changes the last run unless it has ended: progress may be stored after the result. */
export async function updateRun(
  db: Db,
  change: { progress: string } | { progress: string; problems: string[]; endedAt: Date },
): Promise<void> {
  await db.updateTable('backupRun').set(change).where('endedAt', 'is', null).execute()
}
