import { z } from 'zod'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs/jobs.ts'
import { recountWords } from './queries.ts'

/** How common a word is decides how much it says; an answer that is an hour old does as well. */
export const recountVocabulary = defineJob({
  name: 'search.recount_words',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 1800,
  retries: 1,
  cron: '37 * * * *',
  handle: async (_, { db }: Context) => recountWords(db),
})
