import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { explain } from '@kinora/contract/failure.ts'
import type { Context } from '../../../../context/context.ts'
import { UploadVisibility } from '@kinora/contract/videos/uploads.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { ownName } from '@kinora/platform/process-identity.ts'
import { storeFrame } from '../../../videos/uploads/actions/early-thumbnail.ts'
import { publishVideo } from '../../../videos/uploads/actions/publish-video.ts'
import { assertNewAccountMayUpload, assertQuota } from '../../../videos/uploads/actions/quota.ts'
import { hasVideoOf } from '../../../videos/uploads/queries.ts'
import { findOpenImport, updateOpenImport, type VideoImportRow } from '../queries.ts'
import { isRetryable } from '../rules.ts'
import { fetchMedia, type Progress } from './fetch-media.ts'

/** Interval at which the progress of a transfer is stored. */
const progressMs = 1000

/** Ends an import that was stopped. */
class Stopped extends Error {}

/** State of an import whose owner was suspended, or about to be deleted. Imports stopped by their owner have no row. */
export const stopped = {
  state: 'failed',
  failure: explain(portabilityErrors.importStopped),
  isRetryable: true,
} as const

/**
 * Fetches the file of an import and publishes it like an upload, with a frame as its thumbnail. A refusal is stored with the
 * import; other errors are thrown, for another attempt. An import that is stopped meanwhile, or whose owner is suspended,
 * leaves nothing.
 */
export async function importVideo(context: Context, row: VideoImportRow, signal: AbortSignal): Promise<void> {
  const { config, db } = context
  const { id, ownerId, title, url } = row
  // a worker that was killed may have published it
  if (await hasVideoOf(db, id, ownerId)) return void (await updateOpenImport(db, id, { state: 'done' }))
  const directory = path.join(config.dataDir, 'incoming')
  const file = path.join(directory, ownName())
  await mkdir(directory, { recursive: true })
  try {
    await using watch = watchTransfer(context, row)
    const { acceptedContainers } = context.siteSettings.current
    await fetchMedia({ ...config, acceptedContainers }, { url, file, signal, onProgress: watch.onProgress })
    const sender = { address: '', account: ownerId }
    await publishVideo(
      context,
      {
        id,
        ownerId,
        title,
        description: row.description,
        tags: row.tags,
        publishedAt: row.publishedAt ?? undefined,
        notifiesSubscribers: row.notifiesSubscribers,
        visibility: UploadVisibility.parse(row.visibility),
        videoFile: file,
        thumbnail: storeFrame({ ...context, sender }, file, signal),
        alsoWrite: async (transaction) => {
          await assertNewAccountMayUpload({ ...context, db: transaction }, ownerId)
          const isOpen = (await findOpenImport(transaction, id)) !== undefined
          if (!isOpen || !(await updateOpenImport(transaction, id, { state: 'done' }))) throw new Stopped()
        },
      },
      signal,
    )
  } catch (error) {
    if (error instanceof Stopped) return void (await updateOpenImport(db, id, stopped))
    if (!(error instanceof AppError) || error.code === 'internal') throw error
    const failed = { state: 'failed' as const, failure: error, isRetryable: isRetryable(error) }
    await updateOpenImport(db, id, failed)
  } finally {
    await rm(file, { force: true })
  }
}

/** Checks quota and disk of a transfer, and stores its progress. */
function watchTransfer(context: Context, { id, ownerId }: VideoImportRow) {
  const { db, disk } = context
  let storedAt = -Infinity
  let checkedBytes: number | undefined
  let receivedNow = 0
  let reservation: Disposable | undefined
  return {
    onProgress: async ({ receivedBytes, sizeBytes }: Progress): Promise<void> => {
      receivedNow = receivedBytes
      if (sizeBytes !== undefined && sizeBytes !== checkedBytes) {
        await assertQuota(context, ownerId, { bytes: sizeBytes, dailyBytes: sizeBytes })
        reservation?.[Symbol.dispose]()
        reservation = await disk.reserve(sizeBytes, () => receivedNow)
        checkedBytes = sizeBytes
      }
      const now = performance.now()
      if (now - storedAt < progressMs && receivedBytes !== sizeBytes) return
      storedAt = now
      await disk.assertNotFull()
      const progress = { state: 'running' as const, receivedBytes, sizeBytes: sizeBytes ?? null }
      const isOpen = (await findOpenImport(db, id)) !== undefined
      if (!isOpen || !(await updateOpenImport(db, id, progress))) throw new Stopped()
    },
    [Symbol.asyncDispose]: async () => reservation?.[Symbol.dispose](),
  }
}
