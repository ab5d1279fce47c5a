import cookie from '@fastify/cookie'
import { openApiDocument } from '@kinora/contract/openapi.ts'
import { recordView } from '@kinora/contract/videos.ts'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import type { Database } from './database.ts'
import { accountRoutes } from './features/accounts/routes.ts'
import { commentRoutes } from './features/comments/routes.ts'
import { historyRoutes } from './features/history/routes.ts'
import { likeRoutes } from './features/likes/routes.ts'
import { createServePage, servePageData } from './features/pages/routes.ts'
import { deletePictureFiles, sweepPictures } from './features/pictures/jobs.ts'
import { servePictures } from './features/pictures/routes.ts'
import { playbackJobs } from './features/playback/jobs.ts'
import { playbackRoutes, servePlayback } from './features/playback/routes.ts'
import { playlistRoutes, servePlaylistExports } from './features/playlists/routes.ts'
import { recountVocabulary } from './features/search/jobs.ts'
import { searchRoutes } from './features/search/routes.ts'
import { searchTextError, normalizeSearchUrl } from './features/search/rules.ts'
import { assertStorageBound, bindStorage, probeStorage } from './features/site/actions.ts'
import { deleteEndedLimits, deleteExpired } from './features/sessions/jobs.ts'
import { authenticateBySession, sessionRoutes } from './features/sessions/routes.ts'
import { subscriptionRoutes } from './features/subscriptions/routes.ts'
import { ResumableUploads } from './features/uploads/actions/resumable.ts'
import { UploadInspections } from './features/uploads/actions/upload-inspections.ts'
import {
  deleteSource,
  discardUnfinished,
  discardUnpublished,
  sweepUnfinished,
} from './features/uploads/jobs.ts'
import { countRejections, serveResumableUploads, uploadRoutes } from './features/uploads/routes.ts'
import { userRoutes } from './features/users/routes.ts'
import { hearViews } from './features/videos/actions/count-views.ts'
import { deleteVideoFiles, foldPendingViews } from './features/videos/jobs.ts'
import { videoRoutes } from './features/videos/routes.ts'
import { createMeasurements, watchSite } from './measurements.ts'
import { systemClock } from './platform/clock.ts'
import { demandMigrated, migrationsDirectory } from './platform/db/migrate.ts'
import { createDb, createPool, namedUrl } from './platform/db/pool.ts'
import { ProcessLocks } from './platform/db/process-locks.ts'
import { Reads } from './platform/db/reads.ts'
import { Signals } from './platform/db/signals.ts'
import { bodyMaxBytes, parseBodies } from './platform/http/bodies/parse-bodies.ts'
import { countTogether } from './platform/http/limits/count-together.ts'
import { drainRefusedBodies } from './platform/http/bodies/drain-refused-bodies.ts'
import { failMalformed, failUnroutable, handleFailures } from './platform/http/routing/failures.ts'
import { mount, sendKept } from './platform/http/routing/mount.ts'
import { normalUrl } from './platform/http/routing/normal-url.ts'
import { createRateLimits, limitRequests, RateLimit } from './platform/http/limits/rate-limit.ts'
import { ReadyAnswers } from './platform/http/delivery/response-cache.ts'
import { shedOverload } from './platform/http/limits/overload.ts'
import { serveReference } from './platform/http/routing/reference.ts'
import type { Route } from './platform/http/routing/route.ts'
import { measureRequests, serveMetrics } from './platform/http/monitoring/serve-metrics.ts'
import { secure } from './platform/http/security/security-headers.ts'
import { traceRequests } from './platform/http/monitoring/trace-requests.ts'
import { dropStalledReaders } from './platform/http/limits/stalled-readers.ts'
import { dropUnusedConnections } from './platform/http/limits/unused-connections.ts'
import { newId } from './platform/ids.ts'
import { type AnyJob, Jobs } from './platform/jobs/jobs.ts'
import { codeOf } from './platform/errors.ts'
import { createLog } from './platform/log.ts'
import { Ready } from './platform/readiness.ts'
import { onBehalfOf } from './platform/request-scope.ts'
import { readSiteSecret, SiteSecret } from './platform/site-secret.ts'
import type { Storage } from './platform/storage/storage.ts'
import { measureStorage } from './platform/storage/measured-storage.ts'
import { createStorage } from './platform/storage/create-storage.ts'
import { DiskSpace } from './platform/files/disk-space.ts'
import { isTracing } from './platform/tracing/tracing.ts'

/** SQLSTATE undefined_table. */
const undefinedTable = '42P01'
const probeIntervalMs = 10_000

/** Every endpoint that is served, but those of uploads, which share what a web process has for them. */
const routes: readonly Route<Context>[] = [
  ...sessionRoutes,
  ...userRoutes,
  ...accountRoutes,
  ...videoRoutes,
  ...playbackRoutes,
  ...searchRoutes,
  ...likeRoutes,
  ...commentRoutes,
  ...subscriptionRoutes,
  ...historyRoutes,
  ...playlistRoutes,
]

/** Every kind of background work. */
export const jobs: readonly AnyJob<Context>[] = [
  deletePictureFiles,
  sweepPictures,
  deleteExpired,
  deleteEndedLimits,
  deleteVideoFiles,
  foldPendingViews,
  ...playbackJobs,
  recountVocabulary,
  deleteSource,
  discardUnpublished,
  discardUnfinished,
  sweepUnfinished,
]

/** Visitors do not wait longer: such a statement is part of a flood, or waits for a lock. */
const webStatementMs = 5000

export type Role = 'web' | 'worker' | 'operator'

/** Connects to everything; `close` lets go of it, waiting for what runs. */
export async function createContext(
  config: Config,
  databaseUrl: string,
  role: Role,
  disk = new DiskSpace(config.dataDir),
): Promise<Context & { close(): Promise<void> }> {
  const log = createLog(config.logLevel, role)
  const stored = await createStorage(config)
  const url = namedUrl(databaseUrl, `kinora ${role}`)
  const pool = createPool(url, config.databasePoolMax, role === 'web' ? { statementMs: webStatementMs } : {})
  // the error carries the whole client, which is no use in a log
  pool.on('error', ({ message }) => log.warn({ reason: message }, 'database connection lost'))
  const measured = createMeasurements()
  const db = createDb<Database>(pool)
  const storage = measureStorage(stored, measured.storage, measured.storedBytes)
  const storageId = role === 'operator' ? undefined : await bindIfMigrated({ db, storage })
  const queue = new Jobs(url, log, {
    supervise: role === 'worker',
    onRun: (job, outcome, seconds) => measured.jobs.observe({ queue: job, outcome }, seconds),
  })
  await queue.start(jobs)
  const signals = new Signals(url, log)
  const locks = new ProcessLocks(url, log)
  const secret = new SiteSecret(() => readSiteSecret(db))
  const replicaUrl = role === 'web' ? config.databaseReplicaUrl : undefined
  const replica = replicaUrl && {
    primaryUrl: url,
    replicaUrl: namedUrl(replicaUrl, `kinora ${role}`),
    max: config.databasePoolMax,
    log,
  }
  const reads = new Reads(db, replica || undefined, (from) => measured.reads.add({ server: from }))
  const probe = atMostEvery(probeIntervalMs, () => probeStorage(storage))
  const checkStorage = async () => {
    if (storageId !== undefined) await assertStorageBound(storage, storageId)
    // Each probe of a bucket would cost money.
    if (!config.storageUrl) await probe()
  }
  watchSite(measured, { pool, reads, jobs: queue, dataDir: config.dataDir })
  return {
    config,
    log,
    db,
    reads,
    jobs: queue,
    signals,
    locks,
    answers: new ReadyAnswers((isKept) =>
      measured.cacheRequests.add({ cache: 'responses', outcome: isKept ? 'hit' : 'miss' }),
    ),
    storage,
    disk,
    measured,
    ready: new Ready({
      checks: {
        database: () => db.selectNoFrom((expression) => expression.val(1).as('one')).execute(),
        migrations: () => demandMigrated(pool, migrationsDirectory),
        ...(config.storageUrl ? {} : { storage: checkStorage }),
      },
      dependencies: config.storageUrl ? { storage: checkStorage } : {},
      notes: () => notesOf(reads, disk),
    }),
    clock: systemClock,
    limits: createRateLimits(config, systemClock, locks, secret),
    secret,
    close: async () => {
      await queue.stop()
      await signals.close()
      await locks.close()
      await reads.close()
      await pool.end()
      await storage.close()
    },
  }
}

/** A database without the newest migrations may lack the table. Its processes are not ready until somebody migrates it. */
async function bindIfMigrated(site: Pick<Context, 'db' | 'storage'>): Promise<string | undefined> {
  try {
    return await bindStorage(site)
  } catch (error) {
    if (codeOf(error) === undefinedTable) return undefined
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

/** What is no reason to send visitors elsewhere. */
async function notesOf({ replica }: Reads<Database>, disk: DiskSpace): Promise<Record<string, string>> {
  const shortage = await disk.shortage().catch(() => undefined)
  return {
    ...(replica ? { replica: replica.skippedFor === null ? 'used' : `not used: ${replica.skippedFor}` } : {}),
    ...(shortage === undefined ? {} : { disk: shortage }),
  }
}

/** Where a storage sends browsers. */
async function originOf(storage: Storage): Promise<string | null> {
  const address = await storage.addressOf('any', { type: '', cacheControl: '' })
  return address === undefined ? null : new URL(address).origin
}

/** The web process: API, media and pages. It is listening once `listen` was called on it. */
export async function buildApp(context: Context): Promise<FastifyInstance> {
  // Fastify would otherwise carry pino's type through every plugin's
  const loggerInstance: FastifyBaseLogger = context.log
  const servePage = createServePage(context)
  const proxies = context.config.trustProxy
  const app = fastify({
    loggerInstance,
    // what stands further to the left in X-Forwarded-For was written by whoever likes to
    trustProxy: proxies > 0 && ((_address: string, hop: number) => hop < proxies),
    genReqId: () => newId(),
    // every line carries the request's id by itself
    childLoggerFactory: (logger) => logger,
    bodyLimit: bodyMaxBytes,
    // an upload may take hours; what ends a silent sender is the idle limit of the form reader
    requestTimeout: 0,
    // room for a search for the longest text there is, percent-encoded; who names no host is refused in our words
    http: { maxHeaderSize: 64 * 1024, requireHostHeader: false },
    rewriteUrl: (request) => normalizeSearchUrl(normalUrl(request.url ?? '/')),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 30_000 },
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: failUnroutable(servePage, searchTextError),
    clientErrorHandler: failMalformed,
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    onBehalfOf(request.id, done)
  })
  if (isTracing()) traceRequests(app, proxies > 0)
  measureRequests(app, context.measured.metrics)
  await app.register(cookie)
  parseBodies(app)
  secure(app, {
    publicUrl: context.config.publicUrl,
    mediaOrigin: context.config.mediaDelivery === 'redirect' ? await originOf(context.storage) : null,
  })
  shedOverload(app, context.config.requestsAtOnce)
  sendKept(app, context.answers)
  limitRequests(app, context.limits, recordView)
  handleFailures(app, servePage)
  drainRefusedBodies(app)
  dropUnusedConnections(app)
  dropStalledReaders(app, context.config.downloadIdleSeconds)
  servePageData(app, context)
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_, reply) => {
    const { isReady, ...reasons } = await context.ready.look()
    const status = isReady ? 'ready' : 'not ready'
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status, ...reasons })
  })
  serveMetrics(app, context.measured.metrics, context.config.metricsToken)
  servePictures(app, context)
  await serveReference(app, openApiDocument(context.config), 'Kinora API')
  servePlayback(app, context)
  // told by triggers, whoever changed the rows
  await context.signals.listen('changed', (ids) =>
    context.answers.drop(ids === '' ? 'everything' : ids.split(' ')),
  )
  await hearViews(context)
  const counted = Object.values(context.limits).filter((limit) => limit instanceof RateLimit)
  const countAlone = await countTogether(counted, context)
  app.addHook('onClose', async () => countAlone())
  const authenticate = authenticateBySession(context)
  const looks = new UploadInspections(context)
  app.addHook('onClose', async () => looks.close())
  const uploads = new ResumableUploads(context, looks)
  countRejections(app, context)
  mount(app, [...routes, ...uploadRoutes(looks, uploads)], context, authenticate, {
    texts: context.config,
    idleSeconds: context.config.uploadIdleSeconds,
  })
  serveResumableUploads(app, context, uploads, authenticate)
  servePlaylistExports(app, context, authenticate)
  return app
}
