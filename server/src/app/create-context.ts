import type { Config } from '../context/config.ts'
import type { Context } from '../context/context.ts'
import type { Database, Db } from '../context/database.ts'
import { registerLiveGauges } from '../features/live/live-streams/actions/live-gauges.ts'
import { assertStorageBound, bindStorage, probeStorage } from '../features/operations/site/actions.ts'
import { listSettings } from '../features/operations/site/queries.ts'
import { createSpeech } from './create-speech.ts'
import { jobs } from './jobs.ts'
import { createMetrics, registerSiteGauges } from '../context/metrics.ts'
import { systemClock } from '@kinora/platform/clock.ts'
import { sqlstate } from '@kinora/platform/db/errors/sqlstate.ts'
import { assertMigrated } from '@kinora/platform/db/migrate.ts'
import { migrationsDirectory } from '../context/migrations.ts'
import { createDb, createPool, namedUrl, probeDatabase } from '@kinora/platform/db/pool.ts'
import { ProcessLocks } from '@kinora/platform/db/process-locks.ts'
import { ReplicaRouter } from '@kinora/platform/db/replica-router.ts'
import { PubSub } from '@kinora/platform/db/pubsub.ts'
import { Jobs } from '@kinora/platform/jobs/jobs.ts'
import { codeOf } from '@kinora/platform/errors.ts'
import { createLog, type Log } from '@kinora/platform/log.ts'
import { Mailer } from '@kinora/platform/mail/mailer.ts'
import { PushSender } from '@kinora/platform/push/push-sender.ts'
import { HealthChecks } from '@kinora/platform/readiness.ts'
import { readSiteSecret, SiteSecret } from '@kinora/platform/site-secret.ts'
import { measureStorage } from '@kinora/platform/storage/measured-storage.ts'
import { createStorage } from '@kinora/platform/storage/create-storage.ts'
import { SiteSettingsCache } from '../context/site-settings.ts'
import { CacheTags } from '@kinora/platform/tagged-cache.ts'
import { makeDirectory } from '@kinora/platform/files/data-dir.ts'
import { DiskSpace } from '@kinora/platform/files/disk-space.ts'

const probeIntervalMs = 10_000

/**
 * Timeouts of web processes. A statement slower than `statementMs` is part of an overload or waits for a lock. Where the
 * server does not even cancel it, `query_timeout` closes the connection; it exceeds the minute of `allowLongStatements`.
 */
const webTimeouts = { statementMs: 5000, query_timeout: 65_000 }

export type Role = 'web' | 'worker' | 'ingest' | 'cli'

/**
 * Creates the services of a process and connects them. Statements go through the pooler, if there is one; the job queue,
 * notifications and locks need a session and connect to `databaseUrl`. `close` waits for running operations, then
 * disconnects.
 */
export async function createContext(
  config: Config,
  databaseUrl: string,
  role: Role,
  disk = new DiskSpace(config.dataDir),
): Promise<Context & { close(): Promise<void> }> {
  // With a bucket, each machine has its own, which may be gone. One that holds videos may be on a disk that is not mounted.
  if (config.storageUrl && role !== 'cli') makeDirectory(config.dataDir)
  const log = createLog(config.logLevel, role)
  const stored = await createStorage(config)
  const url = namedUrl(databaseUrl, `kinora ${role}`)
  const { databasePoolerUrl, databasePoolMax } = config
  const pool = createPool(
    databasePoolerUrl === undefined ? url : namedUrl(databasePoolerUrl, `kinora ${role}`),
    databasePoolMax,
    { isPooled: databasePoolerUrl !== undefined, ...(role === 'web' ? webTimeouts : {}) },
  )
  // the error has the whole client as a property, which must not be logged
  pool.on('error', ({ message }) => log.warn({ reason: message }, 'database connection lost'))
  const metrics = createMetrics()
  const db = createDb<Database>(pool)
  const storage = measureStorage(stored, metrics.storage, metrics.storedBytes)
  const siteSettings = new SiteSettingsCache(config, () => listSettings(db), log)
  const storageId = role === 'cli' ? undefined : await bindIfMigrated({ db, storage })
  const queue = new Jobs(url, log, {
    supervise: role === 'worker',
    onRun: (job, outcome, seconds) => metrics.jobs.observe({ queue: job, outcome }, seconds),
  })
  await queue.start(jobs)
  const pubsub = new PubSub(url, log)
  const locks = new ProcessLocks(url, log)
  const secret = new SiteSecret(() => readSiteSecret(db))
  const reads = new ReplicaRouter(
    { primary: db, replica: role === 'web' ? createReplicaDb(config) : undefined },
    log,
    (from) => metrics.reads.inc({ server: from }),
  )
  const probe = atMostEvery(probeIntervalMs, () => probeStorage(storage))
  const checkStorage = async () => {
    if (storageId !== undefined) await assertStorageBound(storage, storageId)
    // requests to a bucket cost money
    if (!config.storageUrl) await probe()
  }
  if (role !== 'cli') await siteSettings.load()
  registerLiveGauges(metrics.registry, { config, db, clock: systemClock })
  registerSiteGauges(metrics, { pool, reads, jobs: queue, dataDir: config.dataDir })
  return {
    config,
    log,
    db,
    reads,
    jobs: queue,
    pubsub,
    cacheTags: new CacheTags(),
    locks,
    siteSettings,
    storage,
    disk,
    mailer: createMailer(config),
    push: createPushSender(config, secret),
    speech: createSpeech(config),
    metrics,
    ready: new HealthChecks({
      checks: {
        database: () => probeDatabase(pool),
        migrations: () => assertMigrated(pool, migrationsDirectory),
        ...(config.storageUrl ? {} : { storage: checkStorage }),
      },
      dependencies: {
        ...(config.storageUrl ? { storage: checkStorage } : {}),
        disk: () => assertRoom(disk, log),
      },
      notes: async () => notesOf(reads),
    }),
    clock: systemClock,
    secret,
    close: async () => {
      await queue.stop()
      await pubsub.close()
      await locks.close()
      await reads.close()
      await pool.end()
      await storage.close()
    },
  }
}

function createMailer({ smtpUrl, mailFrom }: Config): Mailer | undefined {
  return smtpUrl === undefined || mailFrom === undefined ? undefined : new Mailer({ smtpUrl, mailFrom })
}

/** Address of the operator for push services where PUBLIC_URL is none that they accept. */
const unknownSubject = 'https://kinora.invalid'

function createPushSender(
  { publicUrl, pushAddresses, pushAuthority }: Config,
  secret: SiteSecret,
): PushSender {
  const subject = publicUrl?.startsWith('https:') ? publicUrl : unknownSubject
  return new PushSender({ secret, subject, allowedAddresses: pushAddresses, ca: pushAuthority })
}

/** Timeout of connecting to the replica and of a read there. The primary is used instead. */
const replicaMs = 1000

function createReplicaDb({ databaseReplicaUrl, databasePoolMax }: Config): Db | undefined {
  if (databaseReplicaUrl === undefined) return undefined
  const timeouts = { connectionTimeoutMillis: replicaMs, query_timeout: replicaMs, statementMs: replicaMs }
  const pool = createPool(namedUrl(databaseReplicaUrl, 'kinora web'), databasePoolMax, timeouts)
  // the next read reports a lost connection
  pool.on('error', () => undefined)
  return createDb<Database>(pool)
}

/** Ignores a missing table: before the migrations have run, the process is not ready. */
async function bindIfMigrated(site: Pick<Context, 'db' | 'storage'>): Promise<string | undefined> {
  try {
    return await bindStorage(site)
  } catch (error) {
    if (codeOf(error) === sqlstate.undefinedTable) return undefined
    await Promise.all([site.db.destroy(), site.storage.close()])
    throw error
  }
}

/** Runs `check` again only once its last success is older than `intervalMs`. */
function atMostEvery(intervalMs: number, check: () => Promise<void>): () => Promise<void> {
  let succeededAt = -Infinity
  return async () => {
    if (performance.now() - succeededAt < intervalMs) return
    await check()
    succeededAt = performance.now()
  }
}

/** Notes in `/readyz` that do not make the process unready. */
function notesOf({ unavailableReason }: ReplicaRouter<Database>): Record<string, string> {
  if (unavailableReason === undefined) return {}
  return { replica: unavailableReason === null ? 'used' : `not used: ${unavailableReason}` }
}

/** Throws if the disk is too full for uploads. */
async function assertRoom(disk: DiskSpace, log: Log): Promise<void> {
  const shortage = await disk.shortage().catch((error: unknown) => {
    log.debug({ err: error }, 'readiness: disk space unknown')
    return undefined
  })
  if (shortage !== undefined) throw new Error(shortage)
}
