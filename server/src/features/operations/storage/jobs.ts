import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import type { Storage } from '@kinora/platform/storage/storage.ts'
import { listOwn, type StoragePrefix, storagePrefixes } from '../../../context/storage-keys.ts'
import { bytesOverBudget, evict } from '../../videos/playback/actions/cache-budget.ts'
import { putMeasurement } from './queries.ts'

/** Adds up the files that no row knows the size of. Listing a bucket costs money, so it happens rarely. */
export const measureStorage = defineJob({
  name: 'storage.measure',
  payload: z.object({ isEvicting: z.boolean().default(false) }),
  concurrency: 1,
  timeLimitSeconds: 3600,
  retries: 1,
  cron: '17 */6 * * *',
  handle: async ({ isEvicting }, context: Context, signal) => {
    const { db, storage, clock, log } = context
    const freedBytes = isEvicting ? await evict(context, await bytesOverBudget(context), signal) : 0
    if (freedBytes > 0) log.info({ freedBytes }, 'segments evicted')
    const pictureBytes = await sizeOf(storage, storagePrefixes.pictures, signal)
    const segmentBytes = await sizeOf(storage, storagePrefixes.segments, signal)
    await putMeasurement(db, { pictureBytes, segmentBytes, freedBytes, measuredAt: clock.now() })
  },
})

async function sizeOf(storage: Storage, prefix: StoragePrefix, signal: AbortSignal): Promise<number> {
  let bytes = 0
  for await (const { sizeBytes } of listOwn(storage, prefix)) {
    signal.throwIfAborted()
    bytes += sizeBytes
  }
  return bytes
}
