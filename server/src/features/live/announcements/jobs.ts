import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { endMissedAnnouncements } from './actions.ts'

/** Ends announcements of streams that did not begin. */
const endAnnouncements = defineJob({
  name: 'announcements.end_missed',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 60,
  retries: 0,
  cron: '*/5 * * * *',
  handle: async (_, context: Context) => {
    for (const videoId of await endMissedAnnouncements(context))
      context.log.info({ videoId }, 'announced stream expired')
  },
})

export const announcementJobs = [endAnnouncements]
