import { z } from 'zod'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs/jobs.ts'
import { chooseProminent } from './queries/prominence.ts'
import { recountWords } from './queries/vocabulary.ts'

/** Few enough that no concurrent edit of one of them waits for long. */
const videosPerChoice = 1000

/** Recounts word frequencies, which determine relevance, and chooses prominent videos. Both may be an hour old. */
export const recountVocabulary = defineJob({
  name: 'search.recount_words',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 1800,
  retries: 1,
  cron: '37 * * * *',
  handle: async (_, { db }: Context, signal) => {
    await recountWords(db)
    let chosen = videosPerChoice
    while (chosen === videosPerChoice && !signal.aborted) chosen = await chooseProminent(db, videosPerChoice)
  },
})
