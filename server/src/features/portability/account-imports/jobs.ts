import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { explain } from '@kinora/contract/failure.ts'
import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { defineJob, type Job } from '@kinora/platform/jobs/jobs.ts'
import {
  ignoreMissing,
  removeUpload,
  uploadStoreOf,
} from '../../videos/uploads/actions/unfinished-uploads.ts'
import { importsAtOnce, TurnEnded } from './actions/import-run.ts'
import { endLostImport } from './actions/begin-import.ts'
import { findRunningImport, listImportsByCommand, updateRunningImport } from './queries.ts'

const ImportJob = z.object({ id: z.string(), uploadId: z.string() })

/** Imports an upload into an account, and deletes it. Imports take turns, so that long ones never hold up others. */
export const importAccount: Job<typeof ImportJob, Context> = defineJob({
  name: 'account_imports.run',
  payload: ImportJob,
  concurrency: importsAtOnce,
  timeLimitSeconds: 12 * 3600,
  retries: 3,
  maxAttempts: 25,
  handle: async ({ id, uploadId }, context: Context, signal) => {
    const store = uploadStoreOf(context)
    const isRunning = (await findRunningImport(context.db, id)) !== undefined
    if (isRunning && !(await store.getUpload(uploadId).catch(ignoreMissing))) {
      const failure = explain(portabilityErrors.uploadDeleted)
      await updateRunningImport(context.db, id, { state: 'failed', failure })
    } else if (isRunning) {
      try {
        await using opened = await store.open(uploadId)
        // few sites import archives: what reads them is loaded for the first one
        const { runImport } = await import('./actions/run-import.ts')
        await runImport(context, id, opened.videoFile, signal)
      } catch (error) {
        if (!(error instanceof TurnEnded)) throw error
        // behind those that wait
        await context.jobs.enqueue(context.db, importAccount, { id, uploadId })
        return
      }
    }
    // of an account that was suspended, which can then begin another one once it is reinstated
    await updateRunningImport(context.db, id, { state: 'cancelled' })
    await removeUpload(store, uploadId)
  },
  giveUp: async ({ id, uploadId }, context) => {
    const failure = explain(portabilityErrors.importFailed)
    await updateRunningImport(context.db, id, { state: 'failed', failure })
    await removeUpload(uploadStoreOf(context), uploadId)
  },
})

/** Ends imports whose command was killed. */
export const endLostImports = defineJob({
  name: 'account_imports.end_lost',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 60,
  retries: 0,
  cron: '*/10 * * * *',
  handle: async (_, context: Context, signal) => {
    for (const userId of await listImportsByCommand(context.db)) {
      signal.throwIfAborted()
      await endLostImport(context, userId)
    }
  },
})
