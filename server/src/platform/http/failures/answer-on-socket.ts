import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FailureEnvelope } from '@kinora/contract/endpoint.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../ids.ts'

export const headersTooLarge = 'The address or the headers are too long'

/** The body of a failure below the API's prefix. */
export function failureEnvelope(error: AppError, requestId: string): FailureEnvelope {
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
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('headers_too_large', headersTooLarge)
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
