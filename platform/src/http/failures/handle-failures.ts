import { errors } from '@kinora/contract/errors.ts'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { AppError, codeOf } from '../../errors.ts'
import { withoutTokens } from '../../secret-token.ts'
import { setSecurityHeaders } from '../security/security-headers.ts'
import { failureEnvelope } from './respond-on-socket.ts'
import { toAppError } from './to-app-error.ts'

function sendFailure(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.code === 'internal') request.log.error({ err: error.cause ?? error }, 'request failed')
  // A 503 is deliberate: the client tries again.
  else if (error.code === 'unavailable')
    request.log.warn({ reason: error.message, err: error.cause }, 'request rejected: unavailable')
  else if (error.code === 'forbidden')
    request.log.info({ ...requestDetails(request), reason: error.message }, 'request rejected: forbidden')
  else if (error.code === 'too_many_requests') logLimited(request)
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(error.retryAfterSeconds))
  return reply
    .code(error.statusCode)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(failureEnvelope(error, request.id))
}

/** Clients whose excess was logged within the last minute: a flood of requests must not become one of log lines. */
const loggedClients = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 })

function logLimited(request: FastifyRequest): void {
  const details = requestDetails(request)
  const client = `${details.userId ?? ''} ${details.address}`
  if (loggedClients.has(client)) return
  loggedClients.set(client, true)
  request.log.info(details, 'request rejected: too many requests')
}

/** Log fields that identify the client and the target of a request. */
function requestDetails(request: FastifyRequest) {
  return {
    userId: request.viewer?.id ?? null,
    address: request.ip,
    method: request.method,
    path: withoutTokens(pathOf(request)).slice(0, 200),
  }
}

const readMethods = 'GET, HEAD, OPTIONS'

/** CORS preflight response for media, which players on other sites may read. Cached for a day. */
const preflightHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': readMethods,
  'access-control-allow-headers': 'Range, If-Range, If-Match, If-None-Match',
  'access-control-max-age': '86400',
}

const isRead = (method: string) => method === 'GET' || method === 'HEAD'

export type ServePage = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/**
 * Sends every error as JSON without a stack trace. Unmatched paths outside the API go to `servePage`, which serves the
 * web client; only GET, HEAD and OPTIONS are allowed there.
 */
export function handleFailures(app: FastifyInstance, servePage: ServePage): void {
  app.setErrorHandler((error, request, reply) => sendFailure(toAppError(error, request), request, reply))
  // before the body is read
  app.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request)
    const kind = request.server.kindOfPath(path)
    if (!request.is404 || kind === 'api' || isRead(request.method)) return undefined
    reply.header('allow', readMethods)
    if (request.method !== 'OPTIONS') throw new AppError(errors.methodNotAllowed, { methods: readMethods })
    if (kind === 'media') reply.headers(preflightHeaders)
    return reply.code(204).send()
  })
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request)
    if (!isData(request) && isRead(request.method)) return servePage(request, reply)
    return sendFailure(nothingAt(path), request, reply)
  })
  // ignores unknown expectations, for which Node would send 417 without a body
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
}

/**
 * Returns a handler for requests that cannot be routed, such as malformed or too long URLs. Malformed URLs are not found,
 * unless `refuseBroken` returns another error for the path.
 */
export function failUnroutable(servePage: ServePage, refuseBroken: (path: string) => AppError | undefined) {
  return (refusal: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const path = pathOf(request)
    const isBroken = codeOf(refusal) === 'FST_ERR_BAD_URL'
    const cause = isBroken ? (refuseBroken(path) ?? nothingAt(path)) : refusal
    // hooks do not run for requests that cannot be routed
    setSecurityHeaders(request, reply)
    if (isData(request) || !isRead(request.method)) {
      sendFailure(toAppError(cause, request), request, reply)
      return
    }
    servePage(request, reply).catch((failure: unknown) =>
      sendFailure(toAppError(failure, request), request, reply),
    )
  }
}

const nothingAt = (path: string) => new AppError(errors.routeNotFound, { path: mentionOf(path) })

const pathOf = (request: FastifyRequest) => request.url.split('?', 1)[0] ?? ''

/** Paths below which clients expect no page. */
const isData = (request: FastifyRequest) =>
  ['api', 'media'].includes(request.server.kindOfPath(pathOf(request)))

/** Returns the path for a message, truncated. */
const mentionOf = (path: string) => (path.startsWith(apiPrefix) ? path.slice(0, 100) : 'this address')
