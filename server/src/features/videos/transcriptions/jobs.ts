import { z } from 'zod'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import type { Context } from '../../../context/context.ts'
import { hasUrgentWork } from '../playback/actions/has-urgent-work.ts'
import { transcribeVideo } from './actions/transcribe-video.ts'
import { findNext, recordRecognizer } from './queries.ts'

/** A run begins no other video after this time; the next one continues. */
const runMs = 40 * 60_000

/**
 * Recognizes the speech of one video after another, while no viewer waits for a segment and no upload for its preparation.
 * Each machine with models has one run at a time.
 */
export const transcribe = defineJob({
  name: 'transcriptions.run',
  payload: z.object({}),
  // one that runs, and one that finds this machine busy and ends
  concurrency: 2,
  // machines run beside each other; a lock keeps each to one run
  exclusive: false,
  timeLimitSeconds: 3600,
  retries: 0,
  cron: '* * * * *',
  handle: async (_, context: Context, signal) => {
    const { db, locks, speech } = context
    if (!(await speech.isInstalled())) return
    await recordRecognizer(db)
    const machine = `transcriptions on ${speech.machine}`
    if (!(await locks.take(machine))) return
    try {
      const until = performance.now() + runMs
      const mustPause = async () =>
        performance.now() > until || !locks.isHeld(machine) || (await hasUrgentWork(context))
      await transcribeVideos(context, mustPause, signal)
    } finally {
      await locks.release(machine)
    }
  },
})

async function transcribeVideos(
  context: Context,
  mustPause: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  if (await mustPause()) return
  let video = await takeNext(context)
  if (!video) return
  const engine = await context.speech.open()
  let isPaused = false
  try {
    while (video && !isPaused) {
      const { id, release }: TakenVideo = video
      try {
        isPaused = !(await transcribeVideo({ context, engine, signal, mustPause }, id))
      } finally {
        await release()
      }
      video = isPaused ? undefined : await takeNext(context)
    }
  } finally {
    // after a pause, the models stay in memory for a while, so that the next run need not load them
    if (!isPaused) engine.end()
  }
}

interface TakenVideo {
  id: string
  release: () => Promise<void>
}

/** Takes the next video that no other machine is at. */
async function takeNext({ db, config, locks }: Context): Promise<TakenVideo | undefined> {
  const taken: string[] = []
  for (;;) {
    const id = await findNext(db, config.captionsPolicy, taken)
    if (id === undefined) return undefined
    const lock = `transcription of ${id}`
    if (await locks.take(lock)) return { id, release: () => locks.release(lock) }
    taken.push(id)
  }
}
