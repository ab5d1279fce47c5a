import { join } from 'node:path'
import { open, stat } from 'node:fs/promises'
import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import type { importFormats } from '@kinora/contract/portability/account-imports.ts'
import type { Context } from '../../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { ZipFile } from '@kinora/platform/files/zip-file.ts'
import { findRunningImport, listSteps, updateRunningImport } from '../queries.ts'
import { importKinora, isKinoraArchive } from './kinora/import-kinora.ts'
import { importLists, importNewPipe } from './import-lists.ts'
import { importPeertube, isPeertubeArchive } from './import-peertube.ts'
import { importTakeout, isTakeout } from './import-takeout.ts'
import { isRefusal } from './import-video.ts'
import { ImportRun, ImportStopped } from './import-run.ts'
import { ArchiveReader } from '@kinora/importers/archives/archive-reader.ts'
import type { Lists } from '@kinora/importers/lists/parse-lists.ts'
import { isNewPipeBackup } from '@kinora/importers/lists/read-newpipe.ts'

interface Recognized {
  format: (typeof importFormats)[number]
  work: (run: ImportRun) => Promise<void>
}

/** How each kind of archive is recognized and imported. */
const archives = [
  { format: 'kinora', isOne: isKinoraArchive, importArchive: importKinora },
  { format: 'peertube', isOne: isPeertubeArchive, importArchive: importPeertube },
  { format: 'newpipe', isOne: isNewPipeBackup, importArchive: importNewPipe },
  { format: 'youtube', isOne: isTakeout, importArchive: importTakeout },
] as const

/** Largest list of subscriptions or playlists, which is parsed in one go. */
const listMaxBytes = 8_000_000

const unknownFormat = () => new AppError(portabilityErrors.archiveUnknown)

/** Recognizes a file by its content. Throws `invalid` for one that cannot be imported. */
async function recognize(file: string, reader: ArchiveReader): Promise<Recognized> {
  if (await isZip(file)) {
    using zip = await ZipFile.open(file)
    const archive = archives.find(({ isOne }) => isOne(zip))
    if (!archive) throw unknownFormat()
    const { format, importArchive } = archive
    return {
      format,
      work: async (run) => {
        using opened = await ZipFile.open(file)
        await importArchive(run, opened)
      },
    }
  }
  if ((await stat(file)).size > listMaxBytes) {
    if (!(await isText(file))) throw unknownFormat()
    throw new AppError(portabilityErrors.listTooLarge)
  }
  const { rows } = await reader.readFile(file, { kind: 'subscriptions' })
  // the reader has parsed them
  const [lists] = rows as Lists[]
  if (!lists) throw unknownFormat()
  return { format: lists.format, work: (run) => importLists(run, lists) }
}

/** Whether a file begins like a zip with or without entries. */
async function isZip(path: string): Promise<boolean> {
  const start = await readStart(path, 4)
  return ['PK\x03\x04', 'PK\x05\x06'].includes(start.toString('latin1'))
}

/** Whether a file begins like a text in UTF-8. */
async function isText(path: string): Promise<boolean> {
  const start = await readStart(path, 1024)
  // the last character may be cut
  return !/[\0\uFFFD]/.test(start.toString().slice(0, -1))
}

async function readStart(path: string, bytes: number): Promise<Buffer> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0)
  return buffer.subarray(0, bytesRead)
}

/** Interval at which a run finds out that its import was stopped, in the middle of a long step. */
const stopCheckMs = 2000

/**
 * Imports a file into the account of a running import, and continues where an earlier run ended. A file that cannot be
 * imported ends it as failed. Returns when the import is stopped. Other errors are thrown: the run can be repeated. So is
 * `TurnEnded`, where another import waits.
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
  const stop = new AbortController()
  const check = async () => {
    if (!(await findRunningImport(db, id))) stop.abort(new ImportStopped())
  }
  // without a database, the next step fails
  const timer = setInterval(() => void check().catch(() => undefined), stopCheckMs)
  try {
    const stopped = AbortSignal.any([signal, stop.signal])
    const reader = new ArchiveReader(join(context.config.dataDir, 'incoming'), stopped)
    const run = new ImportRun(context, row, await listSteps(db, row), { reader, signal: stopped })
    const { format, work } = await recognize(file, run.reader)
    await updateRunningImport(db, id, { format })
    await work(run)
    await updateRunningImport(db, id, { state: 'done', progress: 1 })
    log.info({ userId: row.userId, importId: id }, 'account imported')
  } catch (error) {
    if (error instanceof ImportStopped || stop.signal.aborted) return
    if (!isRefusal(error)) throw error
    await updateRunningImport(db, id, { state: 'failed', failure: error })
  } finally {
    clearInterval(timer)
    cacheTags.clear(['videos', 'comments', 'channels'])
  }
}
