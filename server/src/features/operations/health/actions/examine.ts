import { statfs } from 'node:fs/promises'
import type { Finding, Health, WorkerProcess } from '@kinora/contract/operations/health.ts'
import type { Context } from '../../../../context/context.ts'
import { listQueues } from '../../jobs/actions.ts'
import { findMeasurement } from '../../storage/queries.ts'
import { checkBackups } from './backups.ts'
import { checkBucket } from './bucket.ts'
import { checkCaptions } from './captions.ts'
import { checkPostgresql } from './database.ts'
import { checkDisk } from './disk.ts'
import { checkFfmpeg, checkSandbox } from './ffmpeg.ts'
import { collectFindings } from './finding.ts'
import { checkMail } from './mail.ts'
import { checkSettings } from './settings.ts'
import { checkUser } from './user.ts'
import { checkWorkers } from './workers.ts'

type HealthContext = Pick<Context, 'config' | 'db' | 'clock' | 'jobs'>

/** Checks start programs and write to the bucket. */
const checkedAgainAfterMs = 60_000

interface Examination {
  checkedAt: Date
  findings: Finding[]
  workers: WorkerProcess[]
  lastBackupAt: Date | undefined
}

const examinations = new WeakMap<Context['config'], { startedAt: number; result: Promise<Examination> }>()

/** The health of the site. Figures are current; findings are at most a minute old. */
export async function getHealth(context: HealthContext): Promise<Health> {
  const [{ checkedAt, findings, workers, lastBackupAt }, queues, measurement, disk] = await Promise.all([
    examineOnceAMinute(context),
    listQueues(context),
    findMeasurement(context.db),
    statfs(context.config.dataDir),
  ])
  const total = (count: (queue: (typeof queues)[number]) => number) =>
    queues.reduce((sum, queue) => sum + count(queue), 0)
  return {
    checkedAt: checkedAt.toISOString(),
    findings,
    disk: { freeBytes: disk.bavail * disk.bsize, totalBytes: disk.blocks * disk.bsize },
    cacheBytes: measurement?.segmentBytes ?? null,
    queue: {
      waiting: total(({ waiting }) => waiting),
      running: total(({ running }) => running),
      failed: total(({ failed }) => failed),
      oldestWaitingSeconds: Math.max(0, ...queues.map(({ oldestWaitingSeconds }) => oldestWaitingSeconds)),
    },
    workers,
    lastBackupAt: lastBackupAt?.toISOString() ?? null,
  }
}

/** Requests that arrive while the checks run wait for the same result. A failed run is not kept. */
function examineOnceAMinute(context: HealthContext): Promise<Examination> {
  const kept = examinations.get(context.config)
  const now = performance.now()
  if (kept && now - kept.startedAt < checkedAgainAfterMs) return kept.result
  const result = examine(context)
  examinations.set(context.config, { startedAt: now, result })
  result.catch(() => examinations.delete(context.config))
  return result
}

async function examine({ config, db, clock }: HealthContext): Promise<Examination> {
  const { findings, report } = collectFindings()
  checkSettings(config, report)
  checkUser(report)
  checkMail(config, report)
  if (await checkFfmpeg(config, report)) await checkSandbox(config, report)
  await checkDisk(config, report)
  await checkCaptions(config, report)
  await checkBucket(config, report)
  const lastBackupAt = await checkBackups(config, report)
  if (config.databaseUrl) await checkPostgresql(config, config.databaseUrl, report)
  const workers = await checkWorkers(db, clock.now(), report)
  return { checkedAt: clock.now(), findings, workers, lastBackupAt }
}
