import type { Context } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { ZipFile } from '../../../platform/files/zip-file.ts'
import { findRunningImport, updateRunningImport } from '../queries.ts'
import { importKinora, isKinoraArchive } from './import-kinora.ts'
import { isRefusal } from './import-video.ts'
import { ImportRun, ImportStopped } from './import-run.ts'

/**
 * Imports a file into the account of a running import, and continues where an earlier run ended. A file that cannot be
 * imported ends it as failed. Returns when the import is stopped. Other errors are thrown: the run can be repeated.
 */
export async function runImport(
  context: Context,
  id: string,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const { db, log, cacheTags } = context
  const row = await findRunningImport(db, id)
  if (!row) return
  const run = new ImportRun(context, row, signal)
  try {
    using zip = await ZipFile.open(file)
    if (!isKinoraArchive(zip))
      throw new AppError(
        'invalid',
        'This is no archive that can be imported. Choose the zip file of an export.',
      )
    await updateRunningImport(db, id, { format: 'kinora' })
    await importKinora(run, zip)
    await updateRunningImport(db, id, { state: 'done', progress: 1 })
    log.info({ userId: row.userId, importId: id }, 'account imported')
  } catch (error) {
    if (error instanceof ImportStopped) return
    if (!isRefusal(error)) throw error
    await updateRunningImport(db, id, { state: 'failed', failure: error.message })
  } finally {
    cacheTags.clear(['videos', 'comments', 'channels'])
  }
}
