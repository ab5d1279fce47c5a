import { access } from 'node:fs/promises'
import type { AccountImport } from '@kinora/contract/portability/account-imports.ts'
import type { Context } from '../context/context.ts'
import { runImport } from '../features/portability/account-imports/actions/run-import.ts'
import { beginImportByCommand } from '../features/portability/account-imports/actions/begin-import.ts'
import { findImportOf, updateRunningImport } from '../features/portability/account-imports/queries.ts'
import { endedEarly, toAccountImport } from '../features/portability/account-imports/rules.ts'
import { getAccount } from '../features/operations/administration/queries.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'

/** Imports a file into an account, and returns the report. The file stays. */
export async function importFile(
  context: Context,
  name: string,
  file: string,
): Promise<AccountImport & { username: string }> {
  const { id: userId, username } = await getAccount(context.db, name)
  await access(file).catch(() => {
    throw new StartupError(`${file} cannot be read.`)
  })
  await using begun = await beginImportByCommand(context, userId)
  const { id } = begun
  try {
    await runImport(context, id, file, new AbortController().signal)
  } catch (error) {
    await updateRunningImport(context.db, id, { state: 'failed', failure: endedEarly })
    throw error
  }
  const ended = await findImportOf(context.db, userId)
  if (!ended) throw new StartupError('The import was removed while it ran.')
  return { username, ...toAccountImport(ended) }
}
