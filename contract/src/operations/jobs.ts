import { z } from 'zod'
import { causeOfText } from '../cause.ts'
import { endpoint } from '../endpoint.ts'
import { VideoId } from '../videos/videos.ts'

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

/** A video whose speech could not be recognized. */
export const FailedTranscription = z.object({
  _id: z.string().describe('Of the video.'),
  title: z.string(),
  owner: z.string().describe('Username.'),
  reason: z.string().nullable(),
  cause: causeOfText('reason'),
  failedAt: z.iso.datetime(),
})
export type FailedTranscription = z.infer<typeof FailedTranscription>

/** Automatic captions of the whole site. */
export const TranscriptionWork = z.object({
  isAvailable: z.boolean().describe('Whether this site can recognize speech.'),
  waiting: z
    .number()
    .int()
    .describe('Videos that wait or are being recognized, by the policy of the site too.'),
  secondsWaiting: z.number().describe('Length of those videos that is left.'),
  secondsLeft: z
    .number()
    .nullable()
    .describe('Estimate by the last videos; null where nothing is known yet.'),
  failed: z.array(FailedTranscription).describe('The newest 100 that failed and were not dismissed.'),
})
export type TranscriptionWork = z.infer<typeof TranscriptionWork>

export const getTranscriptionWork = endpoint({
  name: 'getTranscriptionWork',
  tag: 'jobs',
  summary: 'Automatic captions of the whole site: what waits, and the newest 100 that failed',
  method: 'GET',
  path: '/administration/jobs/transcriptions',
  auth,
  role,
  result: TranscriptionWork,
  message: 'Automatic captions',
})

const videos = z.object({ ids: z.array(VideoId).min(1).max(100).describe('Ids of videos.') })

export const retryTranscriptions = endpoint({
  name: 'retryTranscriptions',
  tag: 'jobs',
  summary: 'Recognizes the speech of videos again where that failed; other ids are skipped',
  method: 'POST',
  path: '/administration/jobs/transcriptions/retry',
  auth,
  role,
  body: videos,
  result: z.object({ ids: z.array(z.string()).describe('Those that wait now.') }),
  message: 'Automatic captions are retried',
})

export const dismissTranscriptions = endpoint({
  name: 'dismissTranscriptions',
  tag: 'jobs',
  summary: 'Takes videos off the list of automatic captions that failed; other ids are skipped',
  method: 'POST',
  path: '/administration/jobs/transcriptions/dismiss',
  auth,
  role,
  body: videos,
  result: z.object({ ids: z.array(z.string()).describe('Those that are no longer listed.') }),
  message: 'Failures dismissed',
})
