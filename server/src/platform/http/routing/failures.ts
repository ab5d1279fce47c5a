import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { apiPrefix, type FailureEnvelope } from '@kinora/contract/endpoint.ts'
import type { ErrorCode } from '@kinora/contract/errors.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isConnectionLost } from '../../db/connection-lost.ts'
import { isDeadlock } from '../../db/deadlock.ts'
import { isStatementTimeout } from '../../db/pool.ts'
import { isReferenceGone } from '../../db/reference-gone.ts'
import { isUnstorableText } from '../../db/unstorable-text.ts'
import { isDiskFull, noRoom } from '../../files/disk-full.ts'
import { AppError, codeOf } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { setSecurityHeaders } from '../security/security-headers.ts'

/** What Fastify itself refuses, in our codes. */
const codeOfStatus: Record<number, ErrorCode> = {
  400: 'invalid',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'too_large',
  414: 'headers_too_large',
  415: 'unsupported_type',
  429: 'too_many_requests',
  431: 'headers_too_large',
  503: 'unavailable',
}

const tooLong = 'The address or the headers are too long'

const messageOfCode: Partial<Record<ErrorCode, string>> = {
  invalid: 'The request is malformed',
  too_large: 'The request is too large',
  headers_too_large: tooLong,
  unsupported_type: 'This kind of content is not understood here',
}

/** A database that is started again is back within so long. */
const retryWhenLostSeconds = 2

/** Makes an AppError of anything thrown; what nobody expected becomes `internal`. */
export function toAppError(error: unknown, { raw }: FastifyRequest): AppError {
  if (error instanceof AppError) return error
  // the sender's own connection may be reset, too: nothing is wrong with ours
  if (raw.errored && raw.errored === error)
    return new AppError('invalid', 'The request is incomplete', { cause: error })
  if (isConnectionLost(error) || isDeadlock(error) || isStatementTimeout(error)) {
    const message = 'The service is temporarily unavailable. Try again in a moment.'
    return new AppError('unavailable', message, { cause: error, retryAfterSeconds: retryWhenLostSeconds })
  }
  if (isDiskFull(error)) return noRoom(error)
  if (isReferenceGone(error)) {
    return new AppError('not_found', 'What this is about is not there any more', { cause: error })
  }
  if (isUnstorableText(error)) {
    return new AppError('invalid', 'The text contains a character that cannot be stored', { cause: error })
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  const code = codeOfStatus[status] ?? (status >= 400 && status < 500 ? 'invalid' : 'internal')
  const message = messageOfCode[code] ?? 'Something went wrong on our side'
  return new AppError(code, message, { cause: error })
}

/** The body of a failure below the API's prefix. */
function failureEnvelope(error: AppError, requestId: string): FailureEnvelope {
  return {
    success: false,
    statusCode: error.statusCode,
    message: error.message,
    code: error.code,
    errors: error.errors,
    requestId,
    data: null,
  }
}

function sendFailure(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.code === 'internal') request.log.error({ err: error.cause ?? error }, 'request failed')
  // "come back later" is said on purpose, e.g. for a segment on its way
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
    if (!request.is404 || isApi(path) || isRead(request.method)) return undefined
    reply.header('allow', readMethods)
    if (request.method !== 'OPTIONS')
      throw new AppError('method_not_allowed', `This address understands ${readMethods}`)
    if (path.startsWith('/media/')) reply.headers(preflightHeaders)
    return reply.code(204).send()
  })
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request)
    if (!isData(path) && isRead(request.method)) return servePage(request, reply)
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
    if (isData(path) || !isRead(request.method)) {
      sendFailure(toAppError(cause, request), request, reply)
      return
    }
    servePage(request, reply).catch((failure: unknown) =>
      sendFailure(toAppError(failure, request), request, reply),
    )
  }
}

/** Answers what is not HTTP, before there is a request to speak of. */
export function failMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  answerOnSocket(socket, refusalOf(error.code), newId())
}

/** What Node says of bytes that it could not read as a request. */
function refusalOf(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('headers_too_large', tooLong)
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new AppError('timeout', 'The head of the request did not come in time')
  return new AppError('invalid', 'The request is malformed')
}

/** How long whoever was answered so may take to read it and hang up. */
const lastWordMs = 5000

/** Answers what can have no answer of Fastify's, and ends the connection. */
export function answerOnSocket(socket: Socket, failure: AppError, requestId: string): void {
  const body = JSON.stringify(failureEnvelope(failure, requestId))
  // by the clock: whoever goes on sending would put off a timeout of the socket for ever
  setTimeout(() => socket.destroy(), lastWordMs).unref()
  socket.end(
    `HTTP/1.1 ${failure.statusCode} ${STATUS_CODES[failure.statusCode]}\r\nContent-Type: application/json; charset=utf-8\r\nConnection: close\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

const nothingAt = (path: string) => new AppError('not_found', `There is nothing at ${mentionOf(path)}`)

const pathOf = (request: FastifyRequest) => request.url.split('?', 1)[0] ?? ''

const isApi = (path: string) => path === '/api' || path.startsWith('/api/')

const isData = (path: string) => isApi(path) || path.startsWith('/media/')

/** How a message calls an address: no more of it than is useful. */
const mentionOf = (path: string) => (path.startsWith(apiPrefix) ? path.slice(0, 100) : 'this address')
