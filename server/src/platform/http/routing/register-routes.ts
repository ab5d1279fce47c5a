import { apiPrefix, type Endpoint, type Page, type SuccessEnvelope } from '@kinora/contract/endpoint.ts'
import type { TextLimits } from '@kinora/contract/settings.ts'
import { limitedTexts } from '@kinora/contract/text.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { audit } from '../../audit.ts'
import { AppError, signInFirst } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { addressKey } from '../limits/client-address.ts'
import { bodyMaxBytes } from '../bodies/parse-bodies.ts'
import { eventStreamsOf } from './event-stream.ts'
import { readFields } from '../bodies/form.ts'
import { parseInput } from './parse-input.ts'
import { CachedResponse, type ResponseCache } from '../delivery/response-cache.ts'
import { anyMember, type Input, type Route, type Viewer } from './route.ts'
import type { RecentSessions } from '../security/recent-sessions.ts'
import { readSessionToken } from '../security/session-cookie.ts'
import { hasWrittenElsewhere, rememberWriting } from '../security/writing-cookie.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user; set for endpoints with `auth`. */
    viewer: Viewer | null
  }
  interface FastifyContextConfig {
    /** Whether the response does not depend on the viewer, so that it may be cached. */
    isShared?: (request: FastifyRequest) => boolean
    /** Whether it is the same for all signed-in viewers, so that it may be cached for them. */
    isSharedByMembers?: (request: FastifyRequest) => boolean
    /** The endpoint has no fields: a body of any type is read to its end and ignored. */
    ignoresBody?: boolean
  }
}

/** Returns the user of a request; null when signed out. May renew the session's cookie on the reply. */
export type Authenticate = (request: FastifyRequest, reply: FastifyReply) => Promise<Viewer | null>

/**
 * Sends cached responses. A hit costs no more than a 429 would, so register it before the request limit.
 */
export function sendCached(
  app: FastifyInstance,
  { responseCache, recentSessions }: Pick<RouteServices, 'responseCache' | 'recentSessions'>,
): void {
  app.addHook('onRequest', async (request, reply) => {
    const { isShared, isSharedByMembers } = request.routeOptions.config
    if (isShared?.(request)) return responseCache.find(request.url)?.send(request, reply)
    if (!isSharedByMembers?.(request) || !recentSessions.has(request)) return undefined
    const response = responseCache.find(membersKey(request.url))
    return response?.send(request, reply.header('cache-control', privateCache))
  })
}

/** Key of the response that all signed-in viewers share. */
const membersKey = (url: string) => `members ${url}`
const privateCache = 'private, no-cache'

/** Services required to serve routes. Cached reads get their `db` from `reads`. */
interface RouteServices {
  responseCache: ResponseCache
  recentSessions: RecentSessions
  reads: { run<Result>(work: (db: object) => Promise<Result>): Promise<Result> }
  log: Pick<Log, 'info'>
}

/**
 * Serves every route below the API's prefix.
 *
 * Requests are rejected in this order: 401 before the body is read, 404 for a parameter that no row can have,
 * 400 for query and body, then by the handler. Other methods of a known path get 405.
 */
export function registerRoutes<Context extends RouteServices>(
  app: FastifyInstance,
  routes: readonly Route<Context>[],
  context: Context,
  authenticate: Authenticate,
  options: RouteSettings,
): void {
  app.decorateRequest('viewer', null)
  const openStream = eventStreamsOf(app)
  for (const each of routes) serve(app, each, context, { ...options, authenticate, openStream })
  refuseOtherMethods(
    app,
    routes.map(({ endpoint }) => endpoint),
  )
}

interface RouteSettings {
  texts: TextLimits
  /** A form is rejected after so long without a byte. */
  idleSeconds: number
  /** Id of the row that the result of a write is about, for the audit log. */
  idOfResult: (result: unknown) => string | undefined
}

interface ServeOptions extends RouteSettings {
  authenticate: Authenticate
  openStream: ReturnType<typeof eventStreamsOf>
}

function serve<Context extends RouteServices>(
  app: FastifyInstance,
  {
    endpoint,
    handle,
    cache,
    isSharedByMembers: hasMembers = false,
    invalidates,
    isAudited = true,
  }: Route<Context>,
  context: Context,
  { authenticate, openStream, texts, idleSeconds, idOfResult }: ServeOptions,
): void {
  const { responseCache, recentSessions, reads } = context
  const isRead = endpoint.method === 'GET'
  const ignoresBody = !endpoint.body && !endpoint.files
  const statusCode = endpoint.status ?? 200
  const mayBeCached = (request: FastifyRequest) =>
    cache !== undefined && !hasWrittenElsewhere(request, responseCache.processId)
  const isShared = (request: FastifyRequest) =>
    mayBeCached(request) && (endpoint.auth === 'none' || readSessionToken(request) === undefined)
  const isSharedByMembers = (request: FastifyRequest) => hasMembers && mayBeCached(request)

  app.route({
    method: endpoint.method,
    // An event stream has no length that HEAD could return.
    exposeHeadRoute: !endpoint.events,
    url: apiPrefix + endpoint.path,
    config: { isShared, isSharedByMembers, ignoresBody },
    bodyLimit: bodyLimitOf(endpoint, texts),
    onRequest: async (request, reply) => {
      // Fastify rejects a content type without a parser even where the body is ignored.
      if (ignoresBody) delete request.raw.headers['content-type']
      if (isShared(request)) return
      reply.header('cache-control', privateCache)
      if (endpoint.auth === 'none') return
      request.viewer = await authenticate(request, reply)
      if (request.viewer) recentSessions.add(request)
      if (endpoint.auth === 'required' && !request.viewer) throw signInFirst()
    },
    handler: async (request, reply) => {
      using stream = endpoint.events && openStream(endpoint.events, reply)
      const params = parseParams(endpoint, request.params)
      const input = {
        params,
        query: endpoint.query ? parseInput(endpoint.query, request.query, texts) : undefined,
        body:
          endpoint.body && !endpoint.files
            ? parseInput(endpoint.body, await readFields(request, idleSeconds), texts)
            : undefined,
        user: endpoint.auth === 'none' ? undefined : request.viewer,
        stream,
        request,
        reply,
      } as Input<Endpoint>
      if (stream) {
        await handle(input, context)
        return reply
      }
      const make = async (on = context, by = input) => envelope(endpoint, statusCode, await handle(by, on))
      const makeShared = (by: Input<Endpoint>) => () => reads.run((db) => make({ ...context, db }, by))
      const makeForMembers = makeShared(asAnyMember(input))
      if (isRead) {
        const isSharedByAll = cache && isShared(request)
        const isForMembers = cache && request.viewer && isSharedByMembers(request)
        const own = async () => new CachedResponse(await make())
        const response = isSharedByAll
          ? await responseCache.get(request.url, makeShared(input), cache(input.params))
          : isForMembers
            ? await responseCache
                .get(membersKey(request.url), makeForMembers, cache(input.params))
                .catch(orIfNotFound(own))
            : await own()
        return response.send(request, reply.code(statusCode))
      }
      const changed = invalidates ? invalidates(input) : 'everything'
      // Before the response is sent, and also after a failure half way.
      const body = await make().finally(() => changed !== 'counters' && responseCache.invalidate(changed))
      if (isAudited) recordChange(endpoint, request, idOfResult(body.data), context.log)
      if (changed.length > 0) rememberWriting(reply, responseCache.processId)
      return reply.code(statusCode).send(body)
    },
  })
}

const asAnyMember = (input: Input<Endpoint>) => ({ ...input, user: anyMember }) as unknown as Input<Endpoint>

function orIfNotFound<Result>(other: () => Promise<Result>): (error: unknown) => Promise<Result> {
  return async (error) => {
    if (error instanceof AppError && error.code === 'not_found') return other()
    throw error
  }
}

/** Minimum body limit of endpoints with long texts. */
const textsMaxBytes = 256 * 1024
/** Size of one character, percent-encoded or as two JSON escapes. */
const characterMaxBytes = 12

/** The largest body of an endpoint, in bytes. */
function bodyLimitOf({ body }: Endpoint, texts: TextLimits): number {
  const fields = body instanceof z.ZodObject ? Object.values<z.ZodType>(body.shape) : []
  const long = fields
    .flatMap((field) => limitedTexts.get(field)?.limit ?? [])
    .filter((limit) => texts[limit] * characterMaxBytes > bodyMaxBytes)
  if (long.length === 0) return bodyMaxBytes
  const characters = long.reduce((sum, limit) => sum + texts[limit], 0)
  return Math.max(textsMaxBytes, characters * characterMaxBytes + bodyMaxBytes)
}

function recordChange(
  endpoint: Endpoint,
  request: FastifyRequest,
  id: string | undefined,
  log: Pick<Log, 'info'>,
): void {
  audit(log, {
    action: endpoint.name,
    actor: request.viewer?.id ?? null,
    target: {
      ...(request.params as object),
      id: id ?? (request.params as { id?: string }).id,
    },
    address: addressKey(request.ip),
  })
}

const everyMethod = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

function refuseOtherMethods(app: FastifyInstance, endpoints: readonly Endpoint[]): void {
  const byPath = Map.groupBy(endpoints, ({ path }) => apiPrefix + path)
  for (const [url, served] of byPath) {
    const methods = new Set<string>(served.map(({ method }) => method))
    if (served.some(({ method, events }) => method === 'GET' && !events)) methods.add('HEAD')
    const allow = [...methods, 'OPTIONS'].join(', ')
    app.route({
      method: everyMethod.filter((method) => !methods.has(method)),
      url,
      onRequest: async (_, reply) => {
        reply.header('allow', allow)
        throw new AppError('method_not_allowed', `Method not allowed. This address accepts ${allow}.`)
      },
      handler: async () => undefined,
    })
    app.options(url, async (_, reply) => reply.code(204).header('allow', allow).send())
  }
}

/** Parses the result: columns that leak are dropped, missing ones fail here. */
function envelope(endpoint: Endpoint, statusCode: number, result: unknown): SuccessEnvelope {
  const head = { success: true as const, statusCode, message: endpoint.message }
  if (!endpoint.paged) return { ...head, data: endpoint.result.parse(result) }
  const page = result as Page<unknown>
  return { ...head, data: endpoint.result.parse(page.items), nextCursor: page.nextCursor }
}

/** Throws `not_found` for an id that no row can have. */
export function parseParams(endpoint: Endpoint, params: unknown): unknown {
  if (!endpoint.params) return undefined
  const parsed = endpoint.params.safeParse(params)
  const storable =
    parsed.success && !Object.values(parsed.data).some((value) => String(value).includes('\u0000'))
  if (!storable) throw new AppError('not_found', 'Not found')
  return parsed.data
}
