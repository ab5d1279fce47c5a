import { S3ServiceException } from '@aws-sdk/client-s3'
import { AppError, codeOf } from '../errors.ts'

/** The answer, or undefined where there is no such object. */
export async function answered<Answer>(sent: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await sent
  } catch (error) {
    if (['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(nameOf(error))) return undefined
    throw translate(error)
  }
}

/** What passes by itself is `unavailable`: nobody answers, or the store says that it cannot at the moment. */
export function translate(error: unknown): unknown {
  const isPassing =
    error instanceof S3ServiceException
      ? isOfServer(error.$metadata.httpStatusCode) || error.name === 'SlowDown'
      : isOfNetwork(error)
  if (!isPassing) return error
  return new AppError('unavailable', 'The storage does not answer at the moment', {
    retryAfterSeconds: 5,
    cause: error,
  })
}

/** 501 is said of what a store will never do. */
const isOfServer = (status = 0) => status >= 500 && status !== 501

/** Whether nobody could be reached. */
export function isOfNetwork(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isOfNetwork)
  if (!(error instanceof Error)) return false
  const code = codeOf(error) ?? ''
  return /^(ECONN|ENOTFOUND|EAI_|EPIPE|ETIMEDOUT|EHOST|ENET)/.test(code) || error.name === 'TimeoutError'
}

/** What S3 calls a failure. */
export const nameOf = (error: unknown) => (error instanceof Error ? error.name : '')
