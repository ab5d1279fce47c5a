import type { Context } from '../../../../context/context.ts'
import { sumSourceBytes } from '../queries/contents.ts'
import {
  findRunningExport,
  listUnknownExports,
  resumeExport,
  updateRunningExport,
} from '../queries/exports.ts'
import { exportKey, exportMs } from '../rules.ts'
import { archiveOf } from './archive.ts'

/** Bytes between two reports of progress. */
const reportBytes = 16 * 1024 ** 2

/** The export was deleted, or replaced after it had expired. */
class ExportDeleted extends Error {}

/**
 * Streams the archive of a running or failed export into the storage. Does nothing for an export that was deleted, and stops when
 * it is deleted meanwhile.
 */
export async function makeExport(
  context: Pick<Context, 'db' | 'storage' | 'clock' | 'disk' | 'log'>,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const { db, storage, clock, disk } = context
  const userId = await resumeExport(db, id)
  if (userId === undefined) return
  const key = exportKey(id)
  const totalBytes = await sumSourceBytes(db, userId)
  let bytes = 0
  let reportedBytes = 0
  const onBytes = async (more: number) => {
    bytes += more
    if (bytes - reportedBytes < reportBytes) return
    reportedBytes = bytes
    if (!(await updateRunningExport(db, id, { progress: Math.min(bytes / totalBytes, 1) })))
      throw new ExportDeleted()
  }
  using _ = storage.pathOf(key) === undefined ? undefined : await disk.reserve(totalBytes, () => bytes)
  try {
    await storage.put(key, archiveOf(context, { userId, onBytes }, signal), totalBytes)
  } catch (error) {
    if ((await findRunningExport(db, id)) === undefined) return
    throw error
  }
  const sizeBytes = (await storage.head(key))?.sizeBytes
  const expiresAt = new Date(clock.now().getTime() + exportMs)
  if (sizeBytes !== undefined)
    await updateRunningExport(db, id, { state: 'ready', progress: 1, sizeBytes, expiresAt })
  // a second run of the job finds the export ready and must keep its archive
  const [deleted] = await listUnknownExports(db, [id])
  if (deleted !== undefined) await storage.delete(key)
  context.log.info({ userId, exportId: id, sizeBytes }, 'account exported')
}
