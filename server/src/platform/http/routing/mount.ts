import { apiPrefix, type Endpoint, type Page, type SuccessEnvelope } from '@kinora/contract/endpoint.ts'
import type { TextLimit, TextLimits } from '@kinora/contract/settings.ts'
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
import { Answer, type ReadyAnswers } from '../delivery/response-cache.ts'
import { anyMember, type Input, type Route, type Viewer } from './route.ts'
import { readSessionToken } from '../security/session-cookie.ts'
import { hasWrittenElsewhere, rememberWriting } from '../security/writing-cookie.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in; set for endpoints that ask for it. */
    viewer: Viewer | null
  }
  interface FastifyContextConfig {
    /** Whether the answer to a request is the same for everybody, and may be kept. */
    isSame?: (request: FastifyRequest) => boolean
    /** The call has no fields: a body is read to its end and means nothing, whatever its type. */
    ignoresBody?: boolean
  }
}

/** Finds out who sends a request; null when signed out. May renew the session's cookie on the reply. */
export type Authenticate = (request: FastifyRequest, reply: FastifyReply) => Promise<Viewer | null>

/**
 * Sends what is kept ready for the routes that `mount` serves. That costs no more than a refusal would: added before
 * a limit on requests, it takes nothing of it.
 */
export function sendKept(app: FastifyInstance, answers: ReadyAnswers): void {
  app.addHook('onRequest', async (request, reply) => {
    const { isSame } = request.routeOptions.config
    return isSame?.(request) ? answers.find(request.url)?.send(request, reply) : undefined
  })
}

/** What answering stands on; a read that is the same for everybody gets its `db` from `reads`. */
interface Grounds {
  answers: ReadyAnswers
  reads: { run<Result>(work: (db: object) => Promise<Result>): Promise<Result> }
  log: Pick<Log, 'info'>
}

/**
 * Serves every route below the API's prefix.
 *
 * Refusals come in this order: 401 before the body is read, 404 for a parameter that nothing can have,
 * 400 for query and body, then whatever the handler says. A known address refuses other methods with 405.
 */
export function mount<Context extends Grounds>(
  app: FastifyInstance,
  routes: readonly Route<Context>[],
  context: Context,
  authenticate: Authenticate,
  { texts, idleSeconds }: BodyLimits,
): void {
  app.decorateRequest('viewer', null)
  const openStream = eventStreamsOf(app)
  for (const each of routes) serve(app, each, context, { authenticate, openStream, texts, idleSeconds })
  refuseOtherMethods(
    app,
    routes.map(({ endpoint }) => endpoint),
  )
}

interface BodyLimits {
  texts: TextLimits
  /** A form is refused when no byte comes for so long. */
  idleSeconds: number
}

interface Doors extends BodyLimits {
  authenticate: Authenticate
  openStream: ReturnType<typeof eventStreamsOf>
}

function serve<Context extends Grounds>(
  app: FastifyInstance,
  { endpoint, handle, keep, isSameForMembers = false, changes, isAudited = true }: Route<Context>,
  context: Context,
  { authenticate, openStream, texts, idleSeconds }: Doors,
): void {
  const { answers, reads } = context
  const isRead = endpoint.method === 'GET'
  const ignoresBody = !endpoint.body && !endpoint.files
  const statusCode = endpoint.status ?? 200
  const isSame = (request: FastifyRequest) =>
    keep !== undefined &&
    !hasWrittenElsewhere(request, answers.processId) &&
    (endpoint.auth === 'none' || readSessionToken(request) === undefined)

  app.route({
    method: endpoint.method,
    // a stream has no length and no end that a HEAD could tell
    exposeHeadRoute: !endpoint.events,
    url: apiPrefix + endpoint.path,
    config: { isSame, ignoresBody },
    bodyLimit: bodyLimitOf(endpoint, texts),
    onRequest: async (request, reply) => {
      // Fastify refuses a type that it cannot parse before it looks for a parser
      if (ignoresBody) delete request.raw.headers['content-type']
      if (isSame(request)) return
      // answers differ from one viewer to the next
      reply.header('cache-control', 'private, no-cache')
      if (endpoint.auth === 'none') return
      request.viewer = await authenticate(request, reply)
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
        const isShared = keep && isSame(request)
        const isForMembers =
          keep && isSameForMembers && request.viewer && !hasWrittenElsewhere(request, answers.processId)
        const own = async () => new Answer(await make())
        const answer = isShared
          ? await answers.get(request.url, makeShared(input), keep(input.params))
          : isForMembers
            ? await answers
                .get(`members ${request.url}`, makeForMembers, keep(input.params))
                .catch(orIfNotFound(own))
            : await own()
        return answer.send(request, reply.code(statusCode))
      }
      const changed = changes ? changes(input) : 'everything'
      // before anybody is told that it is done, and also when it failed half way
      const body = await make().finally(() => changed !== 'raised' && answers.drop(changed))
      if (isAudited) recordChange(endpoint, request, body.data, context.log)
      if (changed.length > 0) rememberWriting(reply, answers.processId)
      return reply.code(statusCode).send(body)
    },
  })
}

/** The same request of somebody who is signed in, but nobody in particular. */
const asAnyMember = (input: Input<Endpoint>) => ({ ...input, user: anyMember }) as unknown as Input<Endpoint>

/** Tries something else where nothing was found. */
function orIfNotFound<Result>(other: () => Promise<Result>): (error: unknown) => Promise<Result> {
  return async (error) => {
    if (error instanceof AppError && error.code === 'not_found') return other()
    throw error
  }
}

/** What texts need at least where an operator allows none that are longer. */
const textsMaxBytes = 256 * 1024
/** Of one character, percent-encoded or as two escapes of JSON. */
const characterMaxBytes = 12
const longTexts: readonly TextLimit[] = ['descriptionMaxCharacters', 'commentMaxCharacters']

/** The largest body of an endpoint, in bytes. */
function bodyLimitOf({ body }: Endpoint, texts: TextLimits): number {
  const fields = body instanceof z.ZodObject ? Object.values<z.ZodType>(body.shape) : []
  const long = fields
    .flatMap((field) => limitedTexts.get(field)?.limit ?? [])
    .filter((limit) => longTexts.includes(limit))
  if (long.length === 0) return bodyMaxBytes
  const characters = long.reduce((sum, limit) => sum + texts[limit], 0)
  return Math.max(textsMaxBytes, characters * characterMaxBytes + bodyMaxBytes)
}

/** What was changed is named by the parameters, and what was made by its id. */
function recordChange(
  endpoint: Endpoint,
  request: FastifyRequest,
  data: unknown,
  log: Pick<Log, 'info'>,
): void {
  const { _id: made, user } = (data ?? {}) as { _id?: string; user?: { _id?: string } }
  audit(log, {
    action: endpoint.name,
    actor: request.viewer?.id ?? null,
    target: {
      ...(request.params as object),
      id: made ?? user?._id ?? (request.params as { id?: string }).id,
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
        throw new AppError('method_not_allowed', `This address understands ${allow}`)
      },
      handler: async () => undefined,
    })
    app.options(url, async (_, reply) => reply.code(204).header('allow', allow).send())
  }
}

/** Parses on the way out too: a column that leaks is dropped, one that goes missing is an error here. */
function envelope(endpoint: Endpoint, statusCode: number, result: unknown): SuccessEnvelope {
  const head = { success: true as const, statusCode, message: endpoint.message }
  if (!endpoint.paged) return { ...head, data: endpoint.result.parse(result) }
  const page = result as Page<unknown>
  return { ...head, data: endpoint.result.parse(page.items), nextCursor: page.nextCursor }
}

/** An id that no row can have names something that does not exist. */
function parseParams(endpoint: Endpoint, params: unknown): unknown {
  if (!endpoint.params) return undefined
  const parsed = endpoint.params.safeParse(params)
  const storable =
    parsed.success && !Object.values(parsed.data).some((value) => String(value).includes('\u0000'))
  if (!storable) throw new AppError('not_found', 'There is nothing at this address')
  return parsed.data
}
