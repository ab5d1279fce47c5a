import { type ErrorCode, errorStatus, type FieldError } from '@kinora/contract/errors.ts'

/** An expected failure: the message is meant for people, the code for programs. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly errors: FieldError[]
  /** Seconds after which trying again makes sense. */
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

/** Whoever asks for this has to sign in. */
export const signInFirst = () => new AppError('unauthenticated', 'Please sign in first')

/** The code that a system's error carries, e.g. `ENOENT`; undefined for other errors. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
