import type { ErrorCode } from '@kinora/contract/errors.ts'
import type { FastifyRequest } from 'fastify'
import { isConnectionLost } from '../../db/errors/connection-lost.ts'
import { isDeadlock } from '../../db/errors/deadlock.ts'
import { isStatementTimeout } from '../../db/pool.ts'
import { isReferenceGone } from '../../db/errors/reference-gone.ts'
import { isUnstorableText } from '../../db/errors/unstorable-text.ts'
import { isDiskFull, noRoom } from '../../files/disk-full.ts'
import { AppError } from '../../errors.ts'
import { headersTooLarge } from './respond-on-socket.ts'

/** Maps statuses of Fastify's own errors to error codes. */
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

const messageOfCode: Partial<Record<ErrorCode, string>> = {
  invalid: 'The request is malformed',
  too_large: 'The request is too large',
  headers_too_large: headersTooLarge,
  unsupported_type: 'Unsupported content type',
}

/** A restarted database is available again after about this time. */
const retryWhenLostSeconds = 2

/** Converts any error to an AppError. Unexpected errors become `internal`. */
export function toAppError(error: unknown, { raw }: FastifyRequest): AppError {
  if (error instanceof AppError) return error
  // ECONNRESET of the client's connection, not of the database
  if (raw.errored && raw.errored === error)
    return new AppError('invalid', 'The request is incomplete', { cause: error })
  if (isConnectionLost(error) || isDeadlock(error) || isStatementTimeout(error)) {
    const message = 'The service is temporarily unavailable. Try again in a moment.'
    return new AppError('unavailable', message, { cause: error, retryAfterSeconds: retryWhenLostSeconds })
  }
  if (isDiskFull(error)) return noRoom(error)
  if (isReferenceGone(error)) {
    return new AppError('not_found', 'The item was deleted.', { cause: error })
  }
  if (isUnstorableText(error)) {
    return new AppError('invalid', 'The text contains a character that cannot be stored', { cause: error })
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  const code = codeOfStatus[status] ?? (status >= 400 && status < 500 ? 'invalid' : 'internal')
  const message = messageOfCode[code] ?? 'Something went wrong on our side'
  return new AppError(code, message, { cause: error })
}
