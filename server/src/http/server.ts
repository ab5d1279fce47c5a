import cookie from '@fastify/cookie'
import { recordView } from '@kinora/contract/videos/videos.ts'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Context, WebContext } from '../context/context.ts'
import { limitRequests } from './limit-requests.ts'
import { kindOfPath } from './path-kinds.ts'
import { createRoutes } from './routes.ts'
import { Limits } from '../context/limits.ts'
import { limits } from './limits.ts'
import type { Clock } from '@kinora/platform/clock.ts'
import { confirmForeignLogout } from '../features/watching/pages/routes/confirm-foreign-logout.ts'
import { createServePage } from '../features/watching/pages/routes/serve-page.ts'
import { searchTextError, normalizeSearchUrl } from '../features/watching/search/rules.ts'
import { authenticateByToken } from '../features/accounts/api-tokens/routes.ts'
import { findViewerId } from '../features/accounts/sessions/actions.ts'
import { authenticateBySession } from '../features/accounts/sessions/routes.ts'
import { findChannel } from '../features/videos/collaborators/actions.ts'
import { ResumableUploads } from '../features/videos/uploads/actions/resumable.ts'
import { UploadInspections } from '../features/videos/uploads/actions/upload-inspections.ts'
import { countRejections, serveResumableUploads } from '../features/videos/uploads/routes.ts'
import { bodyMaxBytes, parseBodies } from '@kinora/platform/http/bodies/parse-bodies.ts'
import { drainRefusedBodies } from '@kinora/platform/http/bodies/drain-refused-bodies.ts'
import { failMalformed } from '@kinora/platform/http/failures/respond-on-socket.ts'
import { failUnroutable, handleFailures } from '@kinora/platform/http/failures/handle-failures.ts'
import { registerRoutes } from '@kinora/platform/http/routing/register-routes.ts'
import { normalUrl } from '@kinora/platform/http/routing/normal-url.ts'
import { shedOverload } from '@kinora/platform/http/limits/overload.ts'
import { serveReference } from '@kinora/platform/http/routing/reference.ts'
import { measureRequests, serveMetrics } from '@kinora/platform/http/monitoring/serve-metrics.ts'
import { secure } from '@kinora/platform/http/security/security-headers.ts'
import { traceRequests } from '@kinora/platform/http/monitoring/trace-requests.ts'
import { dropStalledReaders } from '@kinora/platform/http/limits/stalled-readers.ts'
import { dropUnusedConnections } from '@kinora/platform/http/limits/unused-connections.ts'
import { newId } from '@kinora/platform/ids.ts'
import { onBehalfOf } from '@kinora/platform/request-scope.ts'
import type { Storage } from '@kinora/platform/storage/storage.ts'
import { TaggedCache } from '@kinora/platform/tagged-cache.ts'
import { visibilityChanged } from '../features/visibility/topics.ts'
import { siteSettingsChanged } from '../features/operations/site/topics.ts'
import { uploadWanted } from '../features/videos/uploads/topics.ts'
import { isTracing } from '@kinora/platform/tracing/tracing.ts'

/** Returns the origin of the presigned URLs of a storage, or null if it has none. */
async function originOf(storage: Storage): Promise<string | null> {
  const address = await storage.presignedUrl('any', { type: '', cacheControl: '' })
  return address === undefined ? null : new URL(address).origin
}

/** Memory for cached responses. */
const cachedBytes = 16 * 1024 ** 2

/** Adds the services that only web processes have. */
export function createWebContext(context: Context, clock: Clock = context.clock): WebContext {
  const { config, locks, secret, metrics } = context
  return {
    ...context,
    clock,
    limits: new Limits(limits, { config, clock, locks, secret }),
    responseCache: new TaggedCache(context.cacheTags, {
      maxSize: cachedBytes,
      // unknown parameters of the URL may be long
      sizeOf: ({ size }, url) => size + url.length,
      onGet: (isHit) => metrics.cacheRequests.inc({ cache: 'responses', outcome: isHit ? 'hit' : 'miss' }),
    }),
  }
}

/** A login returns the account as `user`. */
function idOfResult(result: unknown): string | undefined {
  const { _id: id, user } = (result ?? {}) as { _id?: string; user?: { _id?: string } }
  return id ?? user?._id
}

/** The HTTP server of a web process: API, media and pages. The caller calls `listen`. */
export async function buildServer(context: WebContext): Promise<FastifyInstance> {
  // Fastify would otherwise carry pino's type through every plugin's
  const loggerInstance: FastifyBaseLogger = context.log
  const servePage = createServePage(context)
  const proxies = context.config.trustProxy
  const app = fastify({
    loggerInstance,
    // entries of X-Forwarded-For before those of trusted proxies can be forged
    trustProxy: proxies > 0 && ((_address: string, hop: number) => hop < proxies),
    genReqId: () => newId(),
    // the logger adds the request id to every line
    childLoggerFactory: (logger) => logger,
    bodyLimit: bodyMaxBytes,
    // uploads may take hours; the form reader closes idle ones
    requestTimeout: 0,
    // large enough for the longest search text, percent-encoded; a missing Host gets our own error response
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
  measureRequests(app, context.metrics.registry)
  await app.register(cookie)
  parseBodies(app)
  secure(app, {
    kindOfPath,
    publicUrl: context.config.publicUrl,
    mediaOrigin: context.config.mediaDelivery === 'redirect' ? await originOf(context.storage) : null,
  })
  shedOverload(app, context.config.requestsAtOnce)
  limitRequests(app, context.limits, recordView)
  handleFailures(app, servePage)
  drainRefusedBodies(app)
  dropUnusedConnections(app)
  dropStalledReaders(app, context.config.downloadIdleSeconds)
  confirmForeignLogout(app)
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_, reply) => {
    const { isReady, ...reasons } = await context.ready.check()
    const status = isReady ? 'ready' : 'not ready'
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status, ...reasons })
  })
  serveMetrics(app, context.metrics.registry, context.config.metricsToken)
  const describeApi = async () =>
    (await import('@kinora/contract/openapi.ts')).openApiDocument(context.config)
  serveReference(app, describeApi, 'Kinora API')
  const clearVideos = () => context.cacheTags.clear(['videos'])
  await context.pubsub.subscribe(visibilityChanged, clearVideos, clearVideos)
  const loadSettings = () => {
    context.siteSettings
      .load()
      .catch((error: unknown) => context.log.warn({ err: error }, 'site settings: not read'))
  }
  await context.pubsub.subscribe(siteSettingsChanged, loadSettings, loadSettings)
  const authenticate = authenticateByToken(context, authenticateBySession(context))
  const uploadInspections = new UploadInspections(context)
  app.addHook('onClose', async () => uploadInspections.close())
  const uploads = new ResumableUploads(context, uploadInspections)
  await context.pubsub.subscribe(
    uploadWanted,
    (id) => uploads.end(id),
    // the other process repeats it
    () => undefined,
  )
  countRejections(app, context)
  registerRoutes(app, createRoutes(context, uploads, app), context, authenticate, {
    texts: context.config,
    idleSeconds: context.config.uploadIdleSeconds,
    idOfResult,
    findChannel: (viewer, endpoint, input) => findChannel(context.db, viewer, endpoint, input),
    findViewerId: (credential) => findViewerId(context, credential),
  })
  serveResumableUploads(app, context, uploads, authenticate)
  return app
}
