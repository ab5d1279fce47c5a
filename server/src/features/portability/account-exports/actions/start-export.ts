import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import type { AccountExport } from '@kinora/contract/portability/account-exports.ts'
import type { Context } from '../../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { newId } from '@kinora/platform/ids.ts'
import { makeAccountExport, sweepAccountExports } from '../jobs.ts'
import { deleteExportOf, replaceExport } from '../queries/exports.ts'
import { exportMs, toAccountExport } from '../rules.ts'

type QueueContext = Pick<Context, 'db' | 'jobs'>

/** Starts an export of an account in place of the former one. Throws `conflict` while one is running. */
export async function startExport(
  { db, jobs, clock }: QueueContext & Pick<Context, 'clock'>,
  userId: string,
): Promise<AccountExport> {
  const createdAt = clock.now()
  const expiresAt = new Date(createdAt.getTime() + exportMs)
  return db.transaction().execute(async (transaction) => {
    const started = await replaceExport(transaction, { userId, id: newId(), createdAt, expiresAt })
    if (!started) throw new AppError(portabilityErrors.exportRunning)
    await jobs.enqueue(transaction, makeAccountExport, { id: started.id }, { group: userId })
    await jobs.enqueue(transaction, sweepAccountExports, {})
    return toAccountExport(started)
  })
}

/** Deletes the export of an account. Pass a transaction to delete it together with other rows. */
export async function discardExport({ db, jobs }: QueueContext, userId: string): Promise<void> {
  if (await deleteExportOf(db, userId)) await jobs.enqueue(db, sweepAccountExports, {})
}
