import { apiPrefix } from '@kinora/contract/endpoint.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, codeOf } from '../../errors.ts'
import { setSecurityHeaders } from '../security/security-headers.ts'
import { failureEnvelope } from './answer-on-socket.ts'
import { toAppError } from './to-app-error.ts'

function sendFailure(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.code === 'internal') request.log.error({ err: error.cause ?? error }, 'request failed')
  // A 503 is deliberate: the client tries again.
  else if (error.code === 'unavailable')
    request.log.warn({ reason: error.message, err: error.cause }, 'request put off')
  else if (error.code === 'forbidden')
    request.log.info({ ...whoAndWhat(request), reason: error.message }, 'request refused')
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(error.retryAfterSeconds))
  return reply
    .code(error.statusCode)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(failureEnvelope(error, request.id))
}

/** What a log says of a request that somebody may have to be asked about. */
function whoAndWhat(request: FastifyRequest) {
  return {
    userId: request.viewer?.id ?? null,
    address: request.ip,
    method: request.method,
    path: pathOf(request).slice(0, 200),
  }
}

const readMethods = 'GET, HEAD, OPTIONS'

/** What players on other sites may send for media, which says itself that anybody may read it. Remembered for a day. */
const preflightHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': readMethods,
  'access-control-allow-headers': 'Range, If-Range, If-Match, If-None-Match',
  'access-control-max-age': '86400',
}

const isRead = (method: string) => method === 'GET' || method === 'HEAD'

export type ServePage = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/**
 * Answers every failure as JSON, never with a stack. Addresses outside the API that nobody serves go to
 * `servePage`, which answers the site; there is nothing there to do but read, and to ask what one may do.
 */
export function handleFailures(app: FastifyInstance, servePage: ServePage): void {
  app.setErrorHandler((error, request, reply) => sendFailure(toAppError(error, request), request, reply))
  // before a body is read that nobody wants
  app.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request)
    const kind = request.server.kindOfPath(path)
    if (!request.is404 || kind === 'api' || isRead(request.method)) return undefined
    reply.header('allow', readMethods)
    if (request.method !== 'OPTIONS')
      throw new AppError('method_not_allowed', `This address understands ${readMethods}`)
    if (kind === 'media') reply.headers(preflightHeaders)
    return reply.code(204).send()
  })
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request)
    if (!isData(request) && isRead(request.method)) return servePage(request, reply)
    return sendFailure(nothingAt(path), request, reply)
  })
  // what a sender expects that we know nothing of is no reason to refuse, as Node would without a word
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
}

/**
 * Answers in the same way what does not reach a handler: an address with broken encoding, or one too long, is that of
 * nothing, unless `refuseBroken` has its own failure for the path.
 */
export function failUnroutable(servePage: ServePage, refuseBroken: (path: string) => AppError | undefined) {
  return (refusal: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const path = pathOf(request)
    const isBroken = codeOf(refusal) === 'FST_ERR_BAD_URL'
    const cause = isBroken ? (refuseBroken(path) ?? nothingAt(path)) : refusal
    // what cannot be routed meets no hook
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

const nothingAt = (path: string) => new AppError('not_found', `There is nothing at ${mentionOf(path)}`)

const pathOf = (request: FastifyRequest) => request.url.split('?', 1)[0] ?? ''

/** Paths below which clients expect no page. */
const isData = (request: FastifyRequest) =>
  ['api', 'media'].includes(request.server.kindOfPath(pathOf(request)))

/** How a message calls an address: no more of it than is useful. */
const mentionOf = (path: string) => (path.startsWith(apiPrefix) ? path.slice(0, 100) : 'this address')
