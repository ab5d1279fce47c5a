import { errors } from '@kinora/contract/errors.ts'
import {
  type Cause,
  type ErrorCode,
  type ErrorParams,
  errorStatus,
  type Explanation,
  explain,
  type Failure,
  type FieldError,
  messageOf,
  type ParamsArgument,
} from '@kinora/contract/failure.ts'

interface Options {
  cause?: unknown
  /** The field of the request that is wrong. */
  path?: string | undefined
  /** The fields that are wrong, each with an error of its own. */
  errors?: FieldError[]
  /** Value of the header Retry-After. */
  retryAfterSeconds?: number
}

type Arguments<Message extends string> = [...ParamsArgument<Message>, options?: Options]

/** An expected failure: `new AppError(errors.tooLong, { label, limit })`. */
export class AppError<const Message extends string = string> extends Error implements Cause {
  readonly code: ErrorCode
  readonly reason: string
  readonly params: ErrorParams
  readonly errors: FieldError[]
  readonly retryAfterSeconds: number | undefined

  constructor(failure: Failure<Message>, ...args: Arguments<Message>) {
    const hasParams = failure.message.includes('{')
    // `ParamsArgument` requires params for these messages
    const params = (hasParams ? args[0] : {}) as ErrorParams
    const { cause, path, errors: fields, retryAfterSeconds } = (args[hasParams ? 1 : 0] ?? {}) as Options
    const { code, reason } = failure
    const message = messageOf(failure, params)
    super(message, { cause })
    this.name = 'AppError'
    this.code = code
    this.reason = reason
    this.params = params
    this.errors = fields ?? (path === undefined ? [] : [{ path, message, reason, params }])
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** Creates an error from a formatted message, such as that of a field or of another process. */
  static from(
    { code = 'invalid', reason, params, message }: Explanation & { code?: ErrorCode },
    { path, errors: fields, ...options }: Options = {},
  ): AppError {
    const ofPath = path === undefined ? [] : [{ path, message, reason, params }]
    const error = new AppError({ code, reason, message: '' }, { ...options, errors: fields ?? ofPath })
    return Object.assign(error, { message, params })
  }

  get statusCode(): number {
    return errorStatus[this.code]
  }
}

/** The error of one field. */
export function fieldError<const Message extends string>(
  path: string,
  failure: Failure<Message>,
  ...params: ParamsArgument<Message>
): FieldError {
  return { path, ...explain(failure, ...params) }
}

export const signInFirst = () => new AppError(errors.signInRequired)

/**
 * The message of an error, or its code: a connection refused at every address of a name has no message. Also of errors that
 * are plain objects.
 */
export function describeError(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  const { message, code }: { message?: unknown; code?: unknown } = error
  return String(message || code || error)
}

/** Returns the code of a system or database error, e.g. `ENOENT`; undefined for other errors. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
