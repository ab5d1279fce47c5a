import { errors } from '@kinora/contract/errors.ts'
import { S3ServiceException } from '@aws-sdk/client-s3'
import { AppError, codeOf } from '../errors.ts'
import type { S3Bucket } from './storage-url.ts'

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
  return new AppError(errors.storageTimeout, {
    retryAfterSeconds: 5,
    cause: error,
  })
}

/** 501 (Not Implemented) is permanent. */
const isServerError = (status = 0) => status >= 500 && status !== 501

/** Whether the connection failed. */
function isNetworkError(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isNetworkError)
  if (!(error instanceof Error)) return false
  const code = codeOf(error) ?? ''
  return /^(ECONN|ENOTFOUND|EAI_|EPIPE|ETIMEDOUT|EHOST|ENET)/.test(code) || error.name === 'TimeoutError'
}

/** The error code of S3, such as `NoSuchKey`. */
export const errorNameOf = (error: unknown) => (error instanceof Error ? error.name : '')

/** Message for a bucket of STORAGE_URL that cannot be used: the cause and the remedy. */
export function explainFailure({ bucket, endpoint, region }: S3Bucket, error: unknown): string {
  const where = `the bucket ${bucket} at ${endpoint ?? `Amazon S3 (${region})`}`
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
  if (isNetworkError(error)) {
    return `The object store of STORAGE_URL cannot be reached (${endpoint ?? region}). Start it, or correct the endpoint.`
  }
  if (errorNameOf(error) === 'NoSuchBucket' || status === 404)
    return `STORAGE_URL names ${where}, which does not exist. Create it, or correct the name.`
  if (status === 301 || errorNameOf(error) === 'AuthorizationHeaderMalformed')
    return `STORAGE_URL names ${where}, which is in another region. Add region=... to STORAGE_URL.`
  if (status === 403 || status === 401) {
    return `Access to ${where} is denied (${errorNameOf(error)}): AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must belong to an account that may list the bucket and get, put and delete its objects.`
  }
  return `STORAGE_URL names ${where}, which cannot be used: ${error instanceof Error ? error.message : String(error)}.`
}
