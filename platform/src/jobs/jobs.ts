import { isDeepStrictEqual } from 'node:util'
import { type ConstructorOptions, fromKysely, type JobResult, PgBoss, type Queue } from 'pg-boss'
import type { Kysely, Transaction } from 'kysely'
import { z } from 'zod'
import { connectionOptions } from '../db/database-client.ts'
import { GuardedClient } from '../db/guarded-client.ts'
import { describeError } from '../errors.ts'
import { type Log, logErrorsFolded } from '../log.ts'
import { currentRequestId, onBehalfOf } from '../request-scope.ts'
import { continueTrace, currentTrace, inSpan } from '../tracing/tracing.ts'

/** Definition of a job. Payloads contain ids instead of rows; handlers must be idempotent, because they may run twice. */
export interface Job<Payload extends z.ZodType, Context> {
  /** `noun.verb`, also the name of its queue. */
  name: string
  payload: Payload
  /** Concurrent runs in one worker process. */
  concurrency: number
  /** Concurrent runs of one group, so that it leaves room for others. */
  concurrencyPerGroup?: number
  /** Polling interval of the queue; default two seconds. */
  pollSeconds?: number
  /** After this many seconds a run counts as failed. */
  timeLimitSeconds: number
  retries: number
  /**
   * Attempts after which a job ends, even if its worker crashed in each. By default, crashes never end a job with
   * `giveUp`, and count like failures for other jobs. Attempts that the stop of a worker interrupted do not count.
   */
  maxAttempts?: number
  /** At most one job of each key waits or runs at a time. True by default for jobs with `cron`: false needs a reason. */
  exclusive?: boolean
  /** Schedule in UTC; scheduled runs have an empty payload. */
  cron?: string
  handle: (payload: z.output<Payload>, context: Context, signal: AbortSignal) => Promise<void>
  /**
   * Called with the error of each attempt from the last of `retries` on. May return 'retry' to keep retrying, with
   * pauses that grow to five minutes. One that throws is called again after such a pause, for some hours.
   */
  giveUp?: (payload: z.output<Payload>, context: Context, error: unknown) => Promise<'retry' | void>
}

// the payload type of a job in a list of different ones
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyJob<Context> = Job<any, Context>

/** A handler that may run longer must take the signal: otherwise it runs on beside its own repetition. */
const longestWithoutSignalSeconds = 300

/** Infers the payload type from the schema. Throws for a handler that can run long and takes no signal. */
export function defineJob<Payload extends z.ZodType, Context>(
  job: Job<Payload, Context>,
): Job<Payload, Context> {
  // TypeScript cannot tell: it accepts functions that ignore parameters
  if (job.timeLimitSeconds > longestWithoutSignalSeconds && job.handle.length < 3)
    throw new Error(`${job.name} may run for ${job.timeLimitSeconds} s, but its handler takes no signal`)
  return job
}

export interface EnqueueOptions {
  /** Higher runs first; default 0. */
  priority?: number
  /** For exclusive jobs, what must not be done twice at once; for others, what `withdraw` and `replace` find it by. */
  key?: string
  /** Jobs of one group share `concurrencyPerGroup`. */
  group?: string
  delaySeconds?: number
  /** Not before this time. */
  startAt?: Date
}

export interface QueueSummary {
  name: string
  /** Due now. */
  waiting: number
  /** Scheduled for later. */
  later: number
  running: number
  /** Within the last hour. */
  failed: number
  oldestWaitingSeconds: number
}

export interface FailedJob {
  id: string
  name: string
  data: unknown
  reason: string | null
  failedAt: Date
}

/** The workers of all attempts ended before the job did, and none of them by being stopped. */
export class LastAttemptInterrupted extends Error {
  constructor() {
    super('the last attempt was interrupted')
  }
}

/** Fields that `Jobs` adds to payloads. */
const Added = z
  .object({
    requestId: z.string().optional(),
    traceparent: z.string().optional(),
    /** Attempts that the stop of a worker interrupted. */
    stops: z.number().default(0),
  })
  // a malformed payload ends in the dead letter queue, which needs none of these
  .catch({ stops: 0 })

const isDue = "j.state < 'active' and j.start_after <= now()"

/** Heartbeat timeout of pg-boss, which also ends jobs of a worker that is only slow. `#retryLost` is faster. */
const heartbeatSeconds = 60

/** Interval of heartbeats, and the time without one after which a worker counts as dead. */
const refreshSeconds = 2
const lostAfterSeconds = 6

/** Time for a handler to end after its time limit. One that does not counts as failed and is retried. */
const abortSeconds = 10

/** Retries back off exponentially up to this. */
const maxRetryDelaySeconds = 300

/** A `giveUp` that throws is repeated this often, which takes some hours. Then the job ends without it. */
const giveUpAttempts = 40

/** Limit of retries for pg-boss, which also counts interrupted attempts: `#run` ends jobs. The largest integer of PostgreSQL. */
const endless = 2 ** 31 - 1

/** The dead letter queue of all others. It has no workers: failed jobs stay until they are retried or too old. */
export const failedQueue = 'failed'

/** There are many that complete, and few that fail. */
const failedKeptSeconds = 14 * 24 * 3600
const completedKeptSeconds = 3600

/** pg-boss passes them to its pool, but its types lack `Client`. */
const poolOptions = { ...connectionOptions, max: 4, Client: GuardedClient, query_timeout: 60_000 }

const common: ConstructorOptions = {
  useListenNotify: true,
  superviseIntervalSeconds: 2,
  monitorIntervalSeconds: 2,
  maintenanceIntervalSeconds: 60,
}

interface Role {
  /** Whether this process retries the jobs of dead workers. */
  supervise: boolean
  /** Called after every run of a job in this process. */
  onRun(job: string, outcome: 'done' | 'failed', seconds: number): void
}

/** Job queue in PostgreSQL (pg-boss). Web processes enqueue jobs, workers run them. */
export class Jobs {
  readonly #boss: PgBoss
  readonly #log: Log
  readonly #supervises: boolean
  readonly #onRun: Role['onRun']
  #lostTimer: NodeJS.Timeout | undefined
  #isStopping = false
  /** Jobs that run in this process, by id, and those that its stop has interrupted. */
  readonly #running = new Map<string, { name: string; data: unknown }>()

  constructor(connectionString: string, log: Log, role: Role) {
    this.#log = log
    this.#onRun = role.onRun
    this.#supervises = role.supervise
    this.#boss = new PgBoss({
      ...common,
      connectionString,
      ...poolOptions,
      supervise: role.supervise,
      schedule: role.supervise,
      migrate: true,
    })
    this.#boss.on('error', logErrorsFolded(log, 'job queue failed'))
  }

  /** Connects and creates or updates the queue of every job. */
  async start<Context>(jobs: readonly AnyJob<Context>[]): Promise<void> {
    await this.#boss.start()
    const existing = new Map((await this.#boss.getQueues()).map((queue) => [queue.name, queue]))
    const keep = { retentionSeconds: failedKeptSeconds, deleteAfterSeconds: failedKeptSeconds }
    if (!existing.has(failedQueue)) await this.#boss.createQueue(failedQueue, keep)
    for (const job of jobs) {
      const { policy, ...options } = queueOptions(job)
      const queue = existing.get(job.name)
      if (!queue) {
        await this.#boss.createQueue(job.name, { ...options, policy })
        continue
      }
      // pg-boss refuses to change it because jobs keep theirs: the ones that wait may still run beside each other
      if (queue.policy !== policy)
        await this.#boss
          .getDb()
          .executeSql('update pgboss.queue set policy = $2 where name = $1', [job.name, policy])
      if (!isDeepStrictEqual({ ...queue, ...options }, queue)) await this.#boss.updateQueue(job.name, options)
    }
    if (!this.#supervises) return
    const logFailure = logErrorsFolded(this.#log, 'retrying lost jobs failed')
    this.#lostTimer = setInterval(() => void this.#retryLost().catch(logFailure), refreshSeconds * 1000)
  }

  /** Adds a job in the caller's transaction. Returns false where an exclusive one of the same key waits or runs. */
  async enqueue<Payload extends z.ZodType, Context, Database>(
    db: Kysely<Database> | Transaction<Database>,
    job: Job<Payload, Context>,
    payload: z.input<Payload>,
    options: EnqueueOptions = {},
  ): Promise<boolean> {
    const requestId = currentRequestId()
    const traceparent = currentTrace()
    const id = await this.#boss.send(
      job.name,
      {
        ...(payload as object),
        ...(requestId ? { requestId } : {}),
        ...(traceparent ? { traceparent } : {}),
      },
      {
        db: fromKysely(db),
        ...(options.priority === undefined ? {} : { priority: options.priority }),
        ...(options.key === undefined ? {} : { singletonKey: options.key }),
        ...(options.group === undefined ? {} : { group: { id: options.group } }),
        ...(options.delaySeconds === undefined ? {} : { startAfter: options.delaySeconds }),
        ...(options.startAt === undefined ? {} : { startAfter: options.startAt }),
      },
    )
    return id !== null
  }

  /** Deletes the job of a key unless it is running. */
  async withdraw<Payload extends z.ZodType, Context>(job: Job<Payload, Context>, key: string): Promise<void> {
    await deleteWaiting(this.#boss.getDb(), job.name, key)
  }

  /** Adds a job, in the caller's transaction, in place of the one of the same key that waits. One that runs continues. */
  async replace<Payload extends z.ZodType, Context, Database>(
    db: Kysely<Database> | Transaction<Database>,
    job: Job<Payload, Context>,
    payload: z.input<Payload>,
    options: EnqueueOptions & { key: string },
  ): Promise<void> {
    await deleteWaiting(fromKysely(db), job.name, options.key)
    await this.enqueue(db, job, payload, options)
  }

  /** Returns the subjects without a waiting or running job of these kinds. A subject is the part of a key before the first slash. */
  async listIdle<Context>(jobs: readonly AnyJob<Context>[], subjects: string[]): Promise<string[]> {
    const { rows } = await this.#boss.getDb().executeSql(
      `select subject from unnest($2::text[]) subject where not exists (
         select from pgboss.job where name = any($1) and state in ('created', 'retry', 'active')
           and split_part(singleton_key, '/', 1) = subject)`,
      [jobs.map(({ name }) => name), subjects],
    )
    return (rows as { subject: string }[]).map(({ subject }) => subject)
  }

  /** Whether one of these jobs runs, or could. */
  async isAnyDue<Context>(jobs: readonly AnyJob<Context>[]): Promise<boolean> {
    const { rows } = await this.#boss
      .getDb()
      .executeSql(
        `select from pgboss.job j where j.name = any($1) and (j.state = 'active' or ${isDue}) limit 1`,
        [jobs.map(({ name }) => name)],
      )
    return rows.length > 0
  }

  /** Runs jobs until `stop`. The signal of a handler aborts when the process stops or the time limit is reached. */
  async work<Context>(jobs: readonly AnyJob<Context>[], context: Context): Promise<void> {
    for (const job of jobs) {
      if (job.cron) await this.#boss.schedule(job.name, job.cron, {})
      await this.#workOn(job, context)
    }
  }

  /** Takes the jobs of one queue. */
  async #workOn<Context>(job: AnyJob<Context>, context: Context): Promise<void> {
    await this.#boss.work(
      job.name,
      {
        batchSize: 1,
        localConcurrency: job.concurrency,
        pollingIntervalSeconds: job.pollSeconds ?? 2,
        // retries are not notified, only polled; the default interval is 30 s
        notifyPollingIntervalSeconds: job.pollSeconds ?? 2,
        heartbeatRefreshSeconds: refreshSeconds,
        perJobResults: true,
        ...(job.concurrencyPerGroup === undefined ? {} : { localGroupConcurrency: job.concurrencyPerGroup }),
      },
      async ([taken]) => {
        if (!taken) return []
        try {
          const run = () => this.#run(job, taken, context)
          const { requestId, traceparent } = Added.parse(taken.data)
          const traced = () =>
            continueTrace(traceparent, () => inSpan(`job ${job.name}`, { 'kinora.job_id': taken.id }, run))
          return [await (requestId === undefined ? traced() : onBehalfOf(requestId, traced))]
        } finally {
          // fetches the next job immediately instead of at the next poll
          this.#notifyWorkers(job.name)
        }
      },
    )
  }

  /** Makes the workers of a queue in this process poll immediately. */
  #notifyWorkers(queue: string): void {
    for (const { id, name } of this.#boss.getWipData()) if (name === queue) this.#boss.notifyWorker(id)
  }

  /**
   * Retries the jobs of dead workers. pg-boss does so, too, but only after a minute or more, and a viewer waits at most fifteen
   * seconds. Those that run in this process are not lost: their heartbeats are late because the machine or the database is slow.
   */
  async #retryLost(): Promise<void> {
    const { rows } = await this.#boss.getDb().executeSql(
      `select name, id, retry_count as "retryCount" from pgboss.job
       where state = 'active' and heartbeat_on < now() - $1 * interval '1 s'`,
      [lostAfterSeconds],
    )
    for (const { name, id, retryCount } of rows as { name: string; id: string; retryCount: number }[]) {
      if (this.#running.has(id)) continue
      await this.#boss.fail(name, { id, retryCount }, { message: 'the worker was lost' })
      this.#log.warn({ job: name, id }, 'job of a lost worker retried')
    }
  }

  /** Counts waiting and running jobs per queue, and those that failed within the last hour, with the age of the oldest waiting one. */
  async summarize(): Promise<QueueSummary[]> {
    const { rows } = await this.#boss.getDb().executeSql(
      `select q.name, count(*) filter (where ${isDue})::int as waiting,
        count(*) filter (where j.state < 'active' and j.start_after > now())::int as later,
        count(*) filter (where j.state = 'active')::int as running, coalesce(f.failed, 0) as failed,
        coalesce(extract(epoch from now() - min(j.start_after) filter (where ${isDue})), 0)::float8
          as "oldestWaitingSeconds"
      from pgboss.queue q left join pgboss.job j on j.name = q.name and j.state in ('created', 'retry', 'active')
        left join (select source_name, count(*)::int as failed from pgboss.job
          where name = $1 and created_on > now() - interval '1 hour' group by 1) f on f.source_name = q.name
      where q.name <> $1
      group by q.name, f.failed order by q.name`,
      [failedQueue],
    )
    return rows as QueueSummary[]
  }

  /** Returns the newest failed jobs, of the last 14 days. `findJobs` of pg-boss has no limit. */
  async listFailed(limit: number): Promise<FailedJob[]> {
    const { rows } = await this.#boss.getDb().executeSql(
      `select id, source_name as name, data, source_output->>'message' as reason, created_on as "failedAt"
      from pgboss.job where name = $1 order by created_on desc limit $2`,
      [failedQueue, limit],
    )
    return rows as FailedJob[]
  }

  /**
   * Retries a failed job, in the caller's transaction, as a new job. It has one attempt more for each attempt of the failed job
   * that the stop of a worker interrupted. Returns false for a job that somebody else retries, and for an exclusive one whose
   * key waits or runs: it stays failed.
   */
  async retryFailed<Database>(
    db: Kysely<Database> | Transaction<Database>,
    { id }: Pick<FailedJob, 'id'>,
  ): Promise<boolean> {
    const connection = { db: fromKysely(db) }
    if ((await this.#boss.redrive(failedQueue, { ids: [id], ...connection })) > 0) return true
    // a conflict with another job ends the failed one; this makes it one that can be retried again
    await this.#boss.retry(failedQueue, id, connection)
    return false
  }

  /** Runs a job once. Throws the error of an attempt that another one follows. */
  async #run<Context>(
    job: AnyJob<Context>,
    { id, data, retryCount, signal }: { id: string; data: unknown; retryCount: number; signal: AbortSignal },
    context: Context,
  ): Promise<JobResult> {
    const startedAt = performance.now()
    // no later attempt would be different
    const parsed = job.payload.safeParse(data)
    if (!parsed.success) {
      this.#onRun(job.name, 'failed', 0)
      this.#log.error({ job: job.name, data, err: parsed.error }, 'job failed: malformed payload')
      return endedBy(id, parsed.error)
    }
    const earlierAttempts = retryCount - Added.parse(data).stops
    const maxAttempts = job.maxAttempts ?? (job.giveUp ? Infinity : job.retries + 1)
    this.#running.set(id, { name: job.name, data })
    try {
      if (earlierAttempts >= maxAttempts) throw new LastAttemptInterrupted()
      const limit = AbortSignal.timeout(job.timeLimitSeconds * 1000)
      await job.handle(parsed.data, context, AbortSignal.any([signal, limit]))
      const ms = performance.now() - startedAt
      this.#onRun(job.name, 'done', ms / 1000)
      this.#log.debug({ job: job.name, data, ms: Math.round(ms) }, 'job done')
      return { id, status: 'completed' }
    } catch (error) {
      this.#onRun(job.name, 'failed', (performance.now() - startedAt) / 1000)
      this.#log.error({ job: job.name, data, err: error }, 'job failed')
      // pg-boss aborts at a shutdown or after a lost heartbeat, which is not a failure of the job
      if (earlierAttempts < job.retries || signal.aborted) throw error
      try {
        if ((await job.giveUp?.(parsed.data, context, error)) === 'retry') throw error
      } catch (failure) {
        if (failure === error || earlierAttempts < job.retries + giveUpAttempts) throw failure
        this.#log.error({ job: job.name, data, err: failure }, 'job ended: giving it up failed')
        return endedBy(id, failure)
      }
      return endedBy(id, error)
    } finally {
      if (!this.#isStopping || !signal.aborted) this.#running.delete(id)
    }
  }

  /**
   * Stops fetching jobs and waits up to `seconds` for running ones. The rest is released for other workers; its interrupted
   * attempts do not count.
   */
  async stop(seconds = 10): Promise<void> {
    clearInterval(this.#lostTimer)
    this.#isStopping = true
    await this.#boss.stop({ graceful: true, timeout: seconds * 1000, close: false })
    const logFailure = logErrorsFolded(this.#log, 'recording an interrupted attempt failed')
    // pg-boss counts every attempt; changes only jobs that no other worker has taken meanwhile
    for (const [id, { name, data }] of this.#running) {
      const interrupted = { ...(data as object), stops: Added.parse(data).stops + 1 }
      // without a database, the process still closes its other connections
      await this.#boss.update(name, interrupted, { id }).catch(logFailure)
    }
    await this.#boss.stop()
  }
}

/** Ends a job without further retries: it goes to the dead letter queue. */
function endedBy(id: string, error: unknown): JobResult {
  return { id, status: 'deadletter', output: { message: describeError(error) } }
}

/** Deletes in one statement, which waits for a worker that is taking the job and then leaves it. */
async function deleteWaiting(
  db: Pick<ReturnType<PgBoss['getDb']>, 'executeSql'>,
  name: string,
  key: string,
): Promise<void> {
  const statement = "delete from pgboss.job where name = $1 and singleton_key = $2 and state < 'active'"
  await db.executeSql(statement, [name, key])
}

function queueOptions<Context>(job: AnyJob<Context>) {
  const isExclusive = job.exclusive ?? job.cron !== undefined
  return {
    policy: isExclusive ? 'exclusive' : 'standard',
    notify: true,
    retryLimit: endless,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: maxRetryDelaySeconds,
    expireInSeconds: job.timeLimitSeconds + abortSeconds,
    heartbeatSeconds,
    deleteAfterSeconds: completedKeptSeconds,
    deadLetter: failedQueue,
  } satisfies Omit<Queue, 'name'>
}
