import type { AccountImport } from '@kinora/contract/portability/account-imports.ts'
import type { Context } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { newId } from '@kinora/platform/ids.ts'
import { importAccount } from '../jobs.ts'
import { type ImportRow, replaceImport } from '../queries.ts'
import { toAccountImport } from '../rules.ts'

/** Begins an import of an account without a job, of an upload or a file elsewhere. Throws `conflict` while one is running. */
export async function beginImport(
  { db, clock }: { db: Db } & Pick<Context, 'clock'>,
  userId: string,
  uploadId: string | null = null,
): Promise<ImportRow> {
  const begun = await replaceImport(db, { userId, id: newId(), createdAt: clock.now(), uploadId })
  if (!begun) throw new AppError('conflict', 'An import is running already. Wait until it ends, or stop it.')
  return begun
}

/** Starts the import of a complete upload. Throws `conflict` while another one is running. */
export async function startImport(
  { db, jobs, clock }: Pick<Context, 'db' | 'jobs' | 'clock'>,
  userId: string,
  uploadId: string,
): Promise<AccountImport> {
  return db.transaction().execute(async (transaction) => {
    const begun = await beginImport({ db: transaction, clock }, userId, uploadId)
    await jobs.enqueue(transaction, importAccount, { id: begun.id, uploadId }, { group: userId })
    return toAccountImport(begun)
  })
}
