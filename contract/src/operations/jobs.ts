import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

const auth = 'required'
const role = 'administrator'

/** Jobs of one kind. */
export const JobQueue = z.object({
  name: z.string(),
  waiting: z.number().int().describe('Jobs that a worker may take now.'),
  later: z.number().int().describe('Jobs that begin later, for example the next attempt of one that failed.'),
  running: z.number().int(),
  failed: z.number().int().describe('Jobs without further attempts, of the last hour.'),
  oldestWaitingSeconds: z.number().int(),
})
export type JobQueue = z.infer<typeof JobQueue>

export const FailedJob = z.object({
  _id: z.string(),
  name: z.string(),
  reason: z.string().nullable(),
  failedAt: z.iso.datetime(),
  videoId: z.string().nullable().describe('The video that the job is about.'),
})
export type FailedJob = z.infer<typeof FailedJob>

export const listJobs = endpoint({
  name: 'listJobs',
  tag: 'jobs',
  summary: 'Background work: jobs of each kind, and the newest 100 that failed',
  method: 'GET',
  path: '/administration/jobs',
  auth,
  role,
  result: z.object({ queues: z.array(JobQueue), failed: z.array(FailedJob) }),
  message: 'Jobs',
})

export const retryJobs = endpoint({
  name: 'retryJobs',
  tag: 'jobs',
  summary: 'Retries failed jobs; unknown ids are skipped',
  method: 'POST',
  path: '/administration/jobs/retry',
  auth,
  role,
  body: z.object({ ids: z.array(z.uuid()).min(1).max(100).describe('Ids of failed jobs.') }),
  result: z.object({ ids: z.array(z.string()).describe('Those that are retried.') }),
  message: 'Jobs are retried',
})
