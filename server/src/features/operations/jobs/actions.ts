import { StoredCause } from '@kinora/contract/cause.ts'
import type { FailedJob, JobQueue, TranscriptionWork } from '@kinora/contract/operations/jobs.ts'
import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { isAvailable } from '../../videos/transcriptions/actions/is-available.ts'
import {
  dismissFailed,
  listFailed,
  retryFailed,
  summarizeBacklog,
} from '../../videos/transcriptions/queries.ts'
import { record } from '../administration/actions/audit-log.ts'
import type { Actor } from '../administration/rules.ts'

/** Failed jobs among which those to retry are found. */
const maxFailed = 10_000

const OfVideo = z.object({ videoId: z.string() })

/** Counts jobs of each kind, without those that pg-boss runs for itself. */
export async function listQueues({ jobs }: Pick<Context, 'jobs'>): Promise<JobQueue[]> {
  const queues = await jobs.summarize()
  const own = queues.filter(({ name }) => !name.startsWith('__pgboss__'))
  return own.map((queue) => ({ ...queue, oldestWaitingSeconds: Math.round(queue.oldestWaitingSeconds) }))
}

/** The newest failed jobs. */
export async function listFailedJobs({ jobs }: Pick<Context, 'jobs'>, limit: number): Promise<FailedJob[]> {
  const failed = await jobs.listFailed(limit)
  return failed.map(({ id: _id, name, data, reason, failedAt }) => ({
    _id,
    name,
    reason,
    failedAt: failedAt.toISOString(),
    videoId: OfVideo.safeParse(data).data?.videoId ?? null,
  }))
}

/**
 * Retries failed jobs, or without `ids` all of them. Returns the ids of those that are retried: not those that somebody
 * else retries at the same time, or whose work a newer job does.
 */
export async function retryJobs(
  context: Pick<Context, 'db' | 'clock' | 'jobs'>,
  actor: Actor,
  ids?: readonly string[],
): Promise<string[]> {
  const failed = await context.jobs.listFailed(maxFailed)
  const retried: string[] = []
  for (const job of failed.filter(({ id }) => !ids || ids.includes(id)))
    if (await retryJob(context, actor, job)) retried.push(job.id)
  return retried
}

async function retryJob(
  context: Pick<Context, 'db' | 'clock' | 'jobs'>,
  actor: Actor,
  job: { id: string; name: string },
): Promise<boolean> {
  return context.db.transaction().execute(async (db) => {
    if (!(await context.jobs.retryFailed(db, job))) return false
    await record({ ...context, db }, actor, 'retry_job', [{ subject: job.id, details: job.name }])
    return true
  })
}

/** Automatic captions of the whole site, with the newest that failed. */
export async function readTranscriptionWork(
  context: Pick<Context, 'db' | 'speech' | 'config'>,
  limit: number,
): Promise<TranscriptionWork> {
  const { db, config } = context
  const [backlog, failed, available] = await Promise.all([
    summarizeBacklog(db, config.captionsPolicy),
    listFailed(db, limit),
    isAvailable(context),
  ])
  return {
    ...backlog,
    isAvailable: available,
    failed: failed.map(({ id: _id, failure, cause, failedAt, ...video }) => ({
      ...video,
      _id,
      reason: failure,
      cause: StoredCause.parse(cause),
      failedAt: failedAt.toISOString(),
    })),
  }
}

/** Recognizes speech again where that failed. Returns the videos that wait now. */
export async function retryTranscriptions(
  context: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  ids: readonly string[],
): Promise<string[]> {
  return context.db.transaction().execute(async (db) => {
    const retried = await retryFailed(db, ids)
    const subjects = retried.map((subject) => ({ subject, details: 'transcriptions.run' }))
    if (subjects.length > 0) await record({ ...context, db }, actor, 'retry_job', subjects)
    return retried
  })
}

/** Takes failed transcriptions off the list. Returns their videos. */
export async function dismissTranscriptions(
  context: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  ids: readonly string[],
): Promise<string[]> {
  return context.db.transaction().execute(async (db) => {
    const dismissed = await dismissFailed(db, ids, context.clock.now())
    const subjects = dismissed.map((subject) => ({ subject, details: 'transcriptions.run' }))
    if (subjects.length > 0) await record({ ...context, db }, actor, 'dismiss_failure', subjects)
    return dismissed
  })
}
