/* oxlint-disable typescript/return-await -- a reply ends after `using` has released its stream or slot */
import { errors } from '@kinora/contract/errors.ts'
import { apiPrefix, type Endpoint, type Page, type SuccessEnvelope } from '@kinora/contract/endpoint.ts'
import type { TextLimits } from '@kinora/contract/settings.ts'
import { limitedTexts } from '@kinora/contract/text.ts'
import { tokenScopeOf } from '@kinora/contract/accounts/token-scopes.ts'
import { hasRole } from '@kinora/contract/accounts/roles.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { audit } from '../../audit.ts'
import { AppError, signInFirst } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { newId } from '../../ids.ts'
import type { CacheTags, TaggedCache } from '../../tagged-cache.ts'
import { addressKey } from '../../client-address.ts'
import { bodyMaxBytes } from '../bodies/parse-bodies.ts'
import { eventStreamsOf } from './event-stream.ts'
import { readFields } from '../bodies/form.ts'
import { parseInput } from './parse-input.ts'
import { TextResponse } from '../delivery/text-response.ts'
import {
  placeholderMember,
  type Authenticate,
  type Input,
  type Route,
  type Viewer,
  type WorkedChannel,
} from './route.ts'
import { type RawRoute, serveRaw } from './raw-route.ts'
import { readCredential } from '../security/api-token.ts'
import { hasWrittenElsewhere, markWriter } from '../security/writer-cookie.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user; set for endpoints with `auth`. */
    viewer: Viewer | null
  }
  interface FastifyContextConfig {
    /** Whether a cached response is ready for the request, so that it is not counted by the request limit. */
    isCached?: (request: FastifyRequest) => boolean
    /** The endpoint has no fields: a body of any type is read to its end and ignored. */
    ignoresBody?: boolean
  }
}

/** Services required to serve routes. Cached reads get their `db` from `reads`. */
interface RouteServices {
  responseCache: TaggedCache<TextResponse>
  cacheTags: CacheTags
  reads: { run<Result>(work: (db: object) => Promise<Result>): Promise<Result> }
  log: Pick<Log, 'info'>
}

/**
 * Serves every route: endpoints below the API's prefix, and raw routes.
 *
 * Requests for endpoints are rejected in this order: 401 before the body is read, 404 for a parameter that no row can have,
 * 400 for query and body, 403 for a channel on which the caller does not work, then by the handler. Other methods of a known
 * path get 405.
 */
export function registerRoutes<Context extends RouteServices>(
  app: FastifyInstance,
  routes: readonly (Route<Context> | RawRoute<Context>)[],
  context: Context,
  authenticate: Authenticate,
  options: RouteSettings,
): void {
  app.decorateRequest('viewer', null)
  const openStream = eventStreamsOf(app)
  const processId = newId()
  for (const each of routes)
    if ('raw' in each) serveRaw(app, each, context, authenticate, options.findViewerId)
    else serve(app, each, context, { ...options, authenticate, openStream, processId })
  refuseOtherMethods(
    app,
    routes.flatMap((each) => ('raw' in each ? [] : [each.endpoint])),
  )
}

interface RouteSettings {
  texts: TextLimits
  /** A form is rejected after so long without a byte. */
  idleSeconds: number
  /** The account of a session or an API token. */
  findViewerId: (credential: string | undefined) => Promise<string | undefined>
  /** The channel that a call of an endpoint with a `channelRole` is about. Throws `forbidden` where the caller may not call it. */
  findChannel: (viewer: Viewer, endpoint: Endpoint, input: ParsedInput) => Promise<WorkedChannel>
  /** Id of the row that the result of a write is about, for the audit log. */
  idOfResult: (result: unknown) => string | undefined
}

/** Parameters of the path and of the query. */
interface ParsedInput {
  params: unknown
  query: unknown
}

interface ServeOptions extends RouteSettings {
  authenticate: Authenticate
  openStream: ReturnType<typeof eventStreamsOf>
  processId: string
}

function serve<Context extends RouteServices>(
  app: FastifyInstance,
  { endpoint, handle, cacheTags, isSharedByMembers, clears = [], isAudited = true }: Route<Context>,
  context: Context,
  { authenticate, openStream, processId, texts, idleSeconds, findChannel, idOfResult }: ServeOptions,
): void {
  const { responseCache, reads } = context
  const ignoresBody = !endpoint.body && !endpoint.files
  const statusCode = endpoint.status ?? 200
  const tokenScope = tokenScopeOf(endpoint)
  const isCached = (request: FastifyRequest) =>
    cacheTags !== undefined &&
    readCredential(request) === undefined &&
    !hasWrittenElsewhere(request, processId) &&
    responseCache.has(cacheKeyOf(endpoint, request.params, endpoint.query?.safeParse(request.query).data))

  app.route({
    method: endpoint.method,
    // An event stream has no length that HEAD could return.
    exposeHeadRoute: !endpoint.events,
    url: apiPrefix + endpoint.path,
    config: { isCached, ignoresBody },
    bodyLimit: bodyLimitOf(endpoint, texts),
    onRequest: async (request, reply) => {
      // Fastify rejects a content type without a parser even where the body is ignored.
      if (ignoresBody) delete request.raw.headers['content-type']
      reply.header('cache-control', 'private, no-cache')
      if (endpoint.auth === 'none') return
      request.viewer = await authenticate(request, reply, tokenScope)
      if (endpoint.auth === 'required' && !request.viewer) throw signInFirst()
      if (endpoint.role && !hasRole(request.viewer?.role ?? 'member', endpoint.role))
        throw new AppError(
          endpoint.role === 'administrator' ? errors.administratorRequired : errors.moderatorRequired,
        )
    },
    handler: async (request, reply) => {
      using stream = endpoint.events && openStream(endpoint.events, reply)
      const params = parseParams(endpoint, request.params)
      const query = endpoint.query ? parseInput(endpoint.query, request.query, texts) : undefined
      const input = {
        params,
        query,
        body:
          endpoint.body && !endpoint.files
            ? parseInput(endpoint.body, await readFields(request, idleSeconds), texts)
            : undefined,
        user: endpoint.auth === 'none' ? undefined : request.viewer,
        channel:
          endpoint.channelRole && request.viewer
            ? await findChannel(request.viewer, endpoint, { params, query })
            : undefined,
        stream,
        request,
        reply,
      } as Input<Endpoint>
      if (stream) {
        await handle(input, context)
        return reply
      }
      const respond = async (by = input, on = context) => envelope(endpoint, statusCode, await handle(by, on))
      if (endpoint.method === 'GET') {
        const build = async (by?: Input<Endpoint>, on?: Context) => TextResponse.json(await respond(by, on))
        const response = await read(request, reply, input, build)
        return response.send(request, reply.code(statusCode))
      }
      const body = await respond()
      context.cacheTags.clear(clears)
      if (clears.length > 0) markWriter(reply, processId)
      if (isAudited) recordChange(endpoint, request, idOfResult(body.data), context.log)
      return reply.code(statusCode).send(body)
    },
  })

  /** The response to a read, from the cache where it is the same for others. What is for one person, no browser stores. */
  async function read(
    request: FastifyRequest,
    reply: FastifyReply,
    input: Input<Endpoint>,
    build: (by?: Input<Endpoint>, on?: Context) => Promise<TextResponse>,
  ): Promise<TextResponse> {
    const isShared =
      cacheTags !== undefined && (!request.viewer || (isSharedByMembers && !request.viewer.hasMuted))
    const buildOwn = () => {
      if (request.viewer) reply.header('cache-control', 'private, no-store')
      return build()
    }
    if (!isShared || hasWrittenElsewhere(request, processId)) return buildOwn()
    const shared = (key: string, by: Input<Endpoint>) =>
      responseCache.get(key, cacheTags, () => reads.run((db) => build(by, { ...context, db })))
    const key = cacheKeyOf(endpoint, request.params, input.query)
    if (!request.viewer) return shared(key, input)
    const choices = JSON.stringify(request.viewer.choices)
    return shared(`members ${choices} ${key}`, asPlaceholderMember(input, request.viewer)).catch(
      orWhenNotFound(buildOwn),
    )
  }
}

/** Names a response by what its endpoint reads: other query parameters, their order and their spelling make no new one. */
const cacheKeyOf = ({ name }: Endpoint, params: unknown, query: unknown) =>
  JSON.stringify([name, params, query])

const asPlaceholderMember = (input: Input<Endpoint>, { choices }: Viewer) =>
  ({ ...input, user: { ...placeholderMember, choices } }) as unknown as Input<Endpoint>

function orWhenNotFound<Result>(other: () => Promise<Result>): (error: unknown) => Promise<Result> {
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
    tokenId: request.viewer?.tokenId,
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
        throw new AppError(errors.methodNotAllowed, { methods: allow })
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
  if (!storable) throw new AppError(errors.notFound)
  return parsed.data
}
