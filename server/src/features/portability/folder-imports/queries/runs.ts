import type {
  FolderCounts,
  FolderImportRun,
  FolderProblem,
} from '@kinora/contract/portability/folder-imports.ts'
import type { Db } from '../../../../context/database.ts'

export async function findRun(db: Db): Promise<FolderImportRun | null> {
  const run = await db
    .selectFrom('folderImportRun as run')
    .innerJoin('users', 'users.id', 'run.channelId')
    .select([
      'folder',
      'username',
      'placement',
      'isDryRun',
      'counts',
      'problems',
      'failure',
      'startedAt',
      'endedAt',
    ])
    .executeTakeFirst()
  if (!run) return null
  return {
    ...run,
    placement: run.placement as FolderImportRun['placement'],
    counts: run.counts as FolderCounts,
    problems: run.problems as FolderProblem[],
    startedAt: run.startedAt.toISOString(),
    endedAt: run.endedAt?.toISOString() ?? null,
  }
}

/** Replaces the last run. */
export async function putRun(
  db: Db,
  begun: Pick<FolderImportRun, 'folder' | 'placement' | 'isDryRun'> & {
    channelId: string
    startedAt: Date
    counts: FolderCounts
  },
): Promise<void> {
  const run = { ...begun, counts: JSON.stringify(begun.counts), problems: '[]', failure: null, endedAt: null }
  await db
    .insertInto('folderImportRun')
    .values(run)
    .onConflict((conflict) => conflict.column('onlyRow').doUpdateSet(run))
    .execute()
}

/** Changes the last run unless it has ended: progress may be stored after the result. */
export async function updateRun(
  db: Db,
  {
    counts,
    problems,
    ...end
  }: {
    counts?: FolderCounts
    problems?: readonly FolderProblem[]
    failure?: string | null
    endedAt?: Date
  },
): Promise<void> {
  await db
    .updateTable('folderImportRun')
    .set({
      ...end,
      ...(counts && { counts: JSON.stringify(counts) }),
      ...(problems && { problems: JSON.stringify(problems) }),
    })
    .where('endedAt', 'is', null)
    .execute()
}
