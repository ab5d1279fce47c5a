import { FolderPlacement } from '@kinora/contract/portability/folder-imports.ts'
import { describeError } from '@kinora/platform/errors.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { importFolder } from './actions/import-folder.ts'
import { putRun, updateRun } from './queries/runs.ts'
import { countsOf, emptyReport, problemsOf } from './rules.ts'

const progressIntervalMs = 1000

/** Imports a folder as the command does. A failure is its result: an administrator starts it again, and it continues. */
export const runFolderImport = defineJob({
  name: 'folder_imports.run',
  payload: z.object({
    folder: z.string(),
    ownerId: z.string(),
    placement: FolderPlacement,
    hasPlaylists: z.boolean(),
    isDryRun: z.boolean(),
  }),
  concurrency: 1,
  timeLimitSeconds: 12 * 3600,
  retries: 0,
  exclusive: true,
  handle: async (chosen, context: Context, signal) => {
    const { db, clock, log, config } = context
    const { folder, ownerId: channelId, placement, isDryRun } = chosen
    const counts = countsOf(emptyReport())
    await putRun(db, { folder, channelId, placement, isDryRun, counts, startedAt: clock.now() })
    let storedAt = performance.now()
    try {
      // the operator may have taken the folder out of the setting meanwhile
      if (!config.importFolders.includes(folder)) throw new Error(`${folder} is not in IMPORT_FOLDERS.`)
      await context.siteSettings.load()
      const report = await importFolder(
        context,
        {
          ...chosen,
          onProgress: (latest) => {
            if (performance.now() - storedAt < progressIntervalMs) return
            storedAt = performance.now()
            updateRun(db, { counts: countsOf(latest) }).catch((error: unknown) =>
              log.warn({ err: error }, 'progress not stored'),
            )
          },
        },
        signal,
      )
      // the next worker repeats what a stop interrupted
      if (report.isInterrupted) signal.throwIfAborted()
      await updateRun(db, { counts: countsOf(report), problems: problemsOf(report), endedAt: clock.now() })
    } catch (error) {
      if (signal.aborted) throw error
      log.error({ err: error, folder }, 'import of a folder failed')
      await updateRun(db, { failure: describeError(error), endedAt: clock.now() })
    }
  },
})
