import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import type { Context } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { newId } from '@kinora/platform/ids.ts'
import { findImportOf, type ImportRow, replaceImport, updateRunningImport } from '../queries.ts'
import { endedEarly } from '../rules.ts'

type BeginContext = { db: Db } & Pick<Context, 'clock' | 'locks'>

/** Begins an import of an account without a job, of an upload or a file elsewhere. Throws `conflict` while one is running. */
export async function beginImport(
  context: BeginContext,
  userId: string,
  { id = newId(), uploadId = null }: { id?: string; uploadId?: string | null } = {},
): Promise<ImportRow> {
  const begin = () => replaceImport(context.db, { userId, id, createdAt: context.clock.now(), uploadId })
  const begun = (await begin()) ?? ((await endLostImport(context, userId)) ? await begin() : undefined)
  if (!begun) throw new AppError(portabilityErrors.accountImportRunning)
  return begun
}

/** The lock that a command holds while its import runs. */
const lockOf = (id: string) => `account_import ${id}`

/** Begins the import of a command, which counts as running until disposed, or until its process ends in any way. */
export async function beginImportByCommand(
  context: BeginContext,
  userId: string,
): Promise<AsyncDisposable & { id: string }> {
  const id = newId()
  await context.locks.take(lockOf(id))
  await beginImport(context, userId, { id })
  return { id, [Symbol.asyncDispose]: () => context.locks.release(lockOf(id)) }
}

/** Ends the import of a command that was killed. Returns whether the account had one. */
export async function endLostImport(
  { db, locks }: { db: Db } & Pick<Context, 'locks'>,
  userId: string,
): Promise<boolean> {
  const found = await findImportOf(db, userId)
  // a job ends, or repeats, the import of an upload
  if (found?.state !== 'running' || found.uploadId !== null) return false
  if (!(await locks.take(lockOf(found.id)))) return false
  try {
    return await updateRunningImport(db, found.id, { state: 'failed', failure: endedEarly })
  } finally {
    await locks.release(lockOf(found.id))
  }
}
