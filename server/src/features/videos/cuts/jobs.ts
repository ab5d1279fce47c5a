import { z } from 'zod'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import type { Context } from '../../../context/context.ts'
import { applyCut } from './actions/apply-cut.ts'
import { findCutDeletion, listCutDeletions, updateCutDeletion } from './queries.ts'

/** Deletes what was cut of a video. Its owner reads the progress, and may stop it. */
export const deleteRemoved = defineJob({
  name: 'cuts.delete_removed',
  payload: z.object({ videoId: z.string() }),
  concurrency: 1,
  timeLimitSeconds: 12 * 3600,
  retries: 2,
  exclusive: true,
  handle: ({ videoId }, context: Context, signal) => applyCut(context, videoId, signal),
  giveUp: async ({ videoId }, { db, log }, error) => {
    log.warn({ err: error, videoId }, 'removed parts not deleted')
    const deletion = await findCutDeletion(db, videoId)
    if (deletion) await updateCutDeletion(db, videoId, deletion.publishedAt, { hasFailed: true })
  },
})

/** Resumes deletions without a job: that of another cut was still ending, or the job was lost. */
const resumeDeletions = defineJob({
  name: 'cuts.resume_deletions',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 60,
  retries: 0,
  cron: '* * * * *',
  handle: async (_, { db, jobs }: Context) => {
    for (const videoId of await jobs.listIdle([deleteRemoved], await listCutDeletions(db)))
      await jobs.enqueue(db, deleteRemoved, { videoId }, { key: videoId })
  },
})

export const cutJobs = [deleteRemoved, resumeDeletions]
