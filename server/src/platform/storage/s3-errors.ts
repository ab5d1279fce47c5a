import { S3ServiceException } from '@aws-sdk/client-s3'
import { AppError, codeOf } from '../errors.ts'

/** Returns the response, or undefined if the object or upload does not exist. */
export async function undefinedIfMissing<Response>(sent: Promise<Response>): Promise<Response | undefined> {
  try {
    return await sent
  } catch (error) {
    if (['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(errorNameOf(error))) return undefined
    throw toAppError(error)
  }
}

/** Maps transient errors (network, 5xx, SlowDown) to `unavailable` and returns every other error unchanged. */
export function toAppError(error: unknown): unknown {
  const isTransient =
    error instanceof S3ServiceException
      ? isServerError(error.$metadata.httpStatusCode) || error.name === 'SlowDown'
      : isNetworkError(error)
  if (!isTransient) return error
  return new AppError('unavailable', 'The storage does not respond. Try again in a moment.', {
    retryAfterSeconds: 5,
    cause: error,
  })
}

/** 501 (Not Implemented) is permanent. */
const isServerError = (status = 0) => status >= 500 && status !== 501

/** Whether the connection failed. */
export function isNetworkError(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isNetworkError)
  if (!(error instanceof Error)) return false
  const code = codeOf(error) ?? ''
  return /^(ECONN|ENOTFOUND|EAI_|EPIPE|ETIMEDOUT|EHOST|ENET)/.test(code) || error.name === 'TimeoutError'
}

/** The error code of S3, such as `NoSuchKey`. */
export const errorNameOf = (error: unknown) => (error instanceof Error ? error.name : '')
