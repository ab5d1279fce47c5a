import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { explain } from '@kinora/contract/failure.ts'
import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { importVideo, stopped } from './actions/import-video.ts'
import { findOpenImport, updateOpenImport } from './queries.ts'

/** Fetches a video from an address and publishes it. */
export const runVideoImport = defineJob({
  name: 'video_imports.run',
  payload: z.object({ id: z.string() }),
  concurrency: 3,
  concurrencyPerGroup: 2,
  timeLimitSeconds: 6 * 3600,
  retries: 2,
  maxAttempts: 25,
  handle: async ({ id }, context: Context, signal) => {
    const open = await findOpenImport(context.db, id)
    if (open) await importVideo(context, open, signal)
    else await updateOpenImport(context.db, id, stopped)
  },
  giveUp: async ({ id }, { db }) => {
    const failure = explain(portabilityErrors.videoImportFailed)
    await updateOpenImport(db, id, { state: 'failed', failure, isRetryable: true })
  },
})
