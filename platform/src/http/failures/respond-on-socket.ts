import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { errors } from '@kinora/contract/errors.ts'
import type { FailureEnvelope } from '@kinora/contract/endpoint.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../ids.ts'

/** Body of an error response. */
export function failureEnvelope(error: AppError, requestId: string): FailureEnvelope {
  return {
    success: false,
    statusCode: error.statusCode,
    message: error.message,
    code: error.code,
    reason: error.reason,
    params: error.params,
    errors: error.errors,
    requestId,
    data: null,
  }
}

/** Responds to bytes that Node cannot parse as HTTP. */
export function failMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  respondOnSocket(socket, refusalOf(error.code), newId())
}

/** Maps an error of Node's HTTP parser. */
function refusalOf(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError(errors.headersTooLarge)
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new AppError(errors.headersTooSlow)
  return new AppError(errors.malformedRequest)
}

/** Time for the client to read the response before its connection is destroyed. */
const closeAfterMs = 5000

/** Writes an error response directly to the socket, where Fastify cannot send one, and closes the connection. */
export function respondOnSocket(socket: Socket, failure: AppError, requestId: string): void {
  const body = JSON.stringify(failureEnvelope(failure, requestId))
  // a timer, because a client that keeps sending would postpone a socket timeout forever
  setTimeout(() => socket.destroy(), closeAfterMs).unref()
  socket.end(
    `HTTP/1.1 ${failure.statusCode} ${STATUS_CODES[failure.statusCode]}\r\nContent-Type: application/json; charset=utf-8\r\nConnection: close\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
