import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { hourMs } from '@kinora/platform/durations.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { chooseProminent } from './queries/prominence.ts'
import { getLastCount, putCountedAt, recountWords } from './queries/vocabulary.ts'

/** Few enough that no concurrent edit of one of them waits for long. */
const videosPerChoice = 1000

/** Counting and choosing read every video. On sites with more videos they run once a day. */
const largeSite = 100_000
/** Less than 24 hours, so that a run that begins early does not leave a day out. */
const intervalOfLargeSites = 23.5 * hourMs

/**
 * Recounts word frequencies, which determine relevance, and chooses prominent videos. Both may be an hour old, and on large
 * sites a day. New words are known immediately, and new videos are prominent until the next run.
 */
export const recountVocabulary = defineJob({
  name: 'search.recount_words',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 1800,
  retries: 1,
  cron: '37 * * * *',
  handle: async (_, { db, clock }: Context, signal) => {
    const now = clock.now()
    const { countedAt, videosCount } = await getLastCount(db)
    const dueAt = videosCount > largeSite && countedAt ? countedAt.getTime() + intervalOfLargeSites : 0
    if (now.getTime() < dueAt) return
    await recountWords(db)
    let chosen = videosPerChoice
    while (chosen === videosPerChoice && !signal.aborted) chosen = await chooseProminent(db, videosPerChoice)
    // after a stop, the next run begins again
    if (!signal.aborted) await putCountedAt(db, now)
  },
})
