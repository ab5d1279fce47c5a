import type { BackupRun } from '@kinora/contract/operations/backups.ts'
import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { formatBytes } from '@kinora/platform/format-bytes.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import type { Progress } from '@kinora/platform/progress.ts'
import { backUp } from './actions/back-up.ts'
import { defaultRepository } from './actions/repository.ts'
import { verify } from './actions/verify.ts'
import { putRun, updateRun } from './queries/runs.ts'

const progressIntervalMs = 1000
/** Problems that are kept: a lost disk has many. */
const problemsKept = 50

/** Backs the site up, or verifies a backup, as the commands do. A failure is its result: nobody waits for another attempt. */
export const runBackup = defineJob({
  name: 'backups.run',
  payload: z.object({ verified: z.string().nullable(), keep: z.number().optional() }),
  concurrency: 1,
  timeLimitSeconds: 12 * 3600,
  retries: 0,
  exclusive: true,
  handle: async ({ verified, keep }, context: Context, signal) => {
    const { db, clock, log } = context
    const kind: BackupRun['kind'] = verified === null ? 'create' : 'verify'
    await putRun(db, { kind, startedAt: clock.now() })
    const result = await (
      verified === null ? create(context, signal, keep) : check(context, verified, signal)
    ).catch((error: unknown) => {
      // the next worker repeats what a stop interrupted
      if (signal.aborted && !isTimeout(signal)) throw error
      log.error({ err: error, kind }, 'backup failed')
      return { progress: 'Failed', problems: [error instanceof Error ? error.message : String(error)] }
    })
    await updateRun(db, { ...result, problems: result.problems.slice(0, problemsKept), endedAt: clock.now() })
  },
})

/** Backups that the site keeps while it makes one every night. */
const dailyBackupsKept = 14

/** Backs the site up at night, where its administrators chose that. */
export const backUpDaily = defineJob({
  name: 'backups.daily',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 60,
  retries: 2,
  cron: '37 3 * * *',
  handle: async (_, { db, jobs, siteSettings }: Context) => {
    if (!(await siteSettings.load()).dailyBackup) return
    // one that an administrator has started is as good
    await jobs.enqueue(db, runBackup, { verified: null, keep: dailyBackupsKept }, { key: 'run' })
  },
})

const isTimeout = ({ reason }: AbortSignal) =>
  reason instanceof DOMException && reason.name === 'TimeoutError'

/** With `keep`, older backups than the newest so many are deleted afterwards. */
async function create(context: Context, signal: AbortSignal, keep?: number) {
  const { config, storage, clock } = context
  if (config.databaseUrl === undefined) throw new Error('DATABASE_URL is not set')
  const repository = defaultRepository(config)
  repository.prepare()
  const { databaseUrl } = config
  const done = await backUp({ databaseUrl, storage, repository }, clock.now(), printTo(context, signal))
  if (keep !== undefined) await repository.prune(keep)
  return {
    progress: `${done.snapshot}: ${done.rows} rows and ${done.files} files (${formatBytes(done.bytes)})`,
    problems: [
      ...done.missing.map((key) => `Lost before this backup: ${key}`),
      ...done.damaged.map(({ key }) => `Damaged in the backup and not intact in the storage: ${key}`),
    ],
  }
}

async function check(context: Context, name: string, signal: AbortSignal) {
  const { config } = context
  const repository = defaultRepository(config)
  const found = await verify(
    repository,
    await repository.find(name),
    config.dataDir,
    printTo(context, signal),
  )
  return {
    progress: `${found.snapshot}: ${found.rows} rows and ${found.files} files were read`,
    problems: found.problems,
  }
}

/** Stores progress at most once a second. Throws, and so ends the work, once the signal is aborted. */
function printTo({ db, log }: Pick<Context, 'db' | 'log'>, signal: AbortSignal): Progress {
  let printedAt = -Infinity
  return (progress) => {
    signal.throwIfAborted()
    if (performance.now() - printedAt < progressIntervalMs) return
    printedAt = performance.now()
    updateRun(db, { progress }).catch((error: unknown) => log.warn({ err: error }, 'progress not stored'))
  }
}
