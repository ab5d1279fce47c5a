import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { deleteRemoved } from './queries/deletions.ts'

/** Deletes comments whose deletion cannot be undone any more. */
const deleteRemovedComments = defineJob({
  name: 'comments.delete_removed',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 300,
  retries: 2,
  cron: '41 * * * *',
  handle: (_, { db }: Context) => deleteRemoved(db),
})

export const commentJobs = [deleteRemovedComments]
