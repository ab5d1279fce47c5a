import type { AccountImport } from '@kinora/contract/portability/account-imports.ts'
import type { Context } from '../../../../context/context.ts'
import { importAccount } from '../jobs.ts'
import { toAccountImport } from '../rules.ts'
import { beginImport } from './begin-import.ts'

/** Starts the import of a complete upload. Throws `conflict` while another one is running. */
export async function startImport(
  { db, jobs, clock, locks }: Pick<Context, 'db' | 'jobs' | 'clock' | 'locks'>,
  userId: string,
  uploadId: string,
): Promise<AccountImport> {
  return db.transaction().execute(async (transaction) => {
    const begun = await beginImport({ db: transaction, clock, locks }, userId, { uploadId })
    await jobs.enqueue(transaction, importAccount, { id: begun.id, uploadId }, { group: userId })
    return toAccountImport(begun)
  })
}
