import { type ErrorCode, errorStatus, type FieldError, signInFirstMessage } from '@kinora/contract/errors.ts'

/** An expected failure with a message for people and a code for programs. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly errors: FieldError[]
  /** Value of the header Retry-After. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; errors?: FieldError[]; retryAfterSeconds?: number } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.errors = options.errors ?? []
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get statusCode(): number {
    return errorStatus[this.code]
  }
}

export const signInFirst = () => new AppError('unauthenticated', signInFirstMessage)

/**
 * The message of an error, or its code: a connection refused at every address of a name has no message. Also of errors that
 * are plain objects.
 */
export function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  const { message, code }: { message?: unknown; code?: unknown } = error
  return String(message || code || error)
}

/** Returns the code of a system or database error, e.g. `ENOENT`; undefined for other errors. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
