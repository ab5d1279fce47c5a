import { errors } from '@kinora/contract/errors.ts'
import type { Failure } from '@kinora/contract/failure.ts'
import type { FastifyRequest } from 'fastify'
import { isConnectionLost } from '../../db/errors/connection-lost.ts'
import { isDeadlock } from '../../db/errors/deadlock.ts'
import { isStatementTimeout } from '../../db/pool.ts'
import { isReferenceGone } from '../../db/errors/reference-gone.ts'
import { isUnstorableText } from '../../db/errors/unstorable-text.ts'
import { isDiskFull, noRoom } from '../../files/disk-full.ts'
import { AppError } from '../../errors.ts'

/** Errors for statuses of Fastify's own ones. */
const failureOfStatus: Record<number, Failure> = {
  404: errors.notFound,
  413: errors.requestTooLarge,
  414: errors.headersTooLarge,
  415: errors.unsupportedType,
  429: errors.tooManyAttempts,
  431: errors.headersTooLarge,
  503: errors.unavailable,
}

/** A restarted database is available again after about this time. */
const retryWhenLostSeconds = 2

/** Converts any error to an AppError. Unexpected errors become `internal`. */
export function toAppError(error: unknown, { raw }: FastifyRequest): AppError {
  if (error instanceof AppError) return error
  // ECONNRESET of the client's connection, not of the database
  if (raw.errored && raw.errored === error) return new AppError(errors.incompleteRequest, { cause: error })
  if (isConnectionLost(error) || isDeadlock(error) || isStatementTimeout(error)) {
    return new AppError(errors.unavailable, { cause: error, retryAfterSeconds: retryWhenLostSeconds })
  }
  if (isDiskFull(error)) return noRoom(error)
  if (isReferenceGone(error)) {
    return new AppError(errors.itemDeleted, { cause: error })
  }
  if (isUnstorableText(error)) {
    return new AppError(errors.notStorable, { cause: error })
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  const isOfClient = status >= 400 && status < 500
  const failure = failureOfStatus[status] ?? (isOfClient ? errors.malformedRequest : errors.internal)
  return new AppError(failure, { cause: error })
}
