import { z } from 'zod'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import type { Context } from '../../../context/context.ts'
import { hasUrgentWork } from '../playback/actions/has-urgent-work.ts'
import { transcribeVideo } from './actions/transcribe-video.ts'
import { findNext, recordRecognizer } from './queries.ts'

/** A run begins no other video after this time; the next one continues. */
const runMs = 40 * 60_000

/** Recognizes the speech of one video after another, while no viewer waits for a segment and no upload for its preparation. */
export const transcribe = defineJob({
  name: 'transcriptions.run',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 3600,
  retries: 0,
  cron: '* * * * *',
  handle: async (_, context: Context, signal) => {
    const { db, config, speech } = context
    const until = performance.now() + runMs
    const mustPause = async () => performance.now() > until || (await hasUrgentWork(context))
    if (!(await speech.isInstalled())) return
    await recordRecognizer(db)
    if (await mustPause()) return
    const first = await findNext(db, config.captionsPolicy)
    if (first === undefined) return
    const engine = await speech.open()
    try {
      for (let next: string | undefined = first; next !== undefined;) {
        if (!(await transcribeVideo({ context, engine, signal, mustPause }, next))) return
        next = await findNext(db, config.captionsPolicy)
      }
    } finally {
      engine.end()
    }
  },
})
