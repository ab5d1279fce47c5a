import { formatValue, nounOf } from './error-values.ts'

/** Every error code of the API and its HTTP status. A code is general, the reason of an error says what exactly went wrong. */
export const errorStatus = {
  invalid: 400,
  unauthenticated: 401,
  second_factor_required: 401,
  forbidden: 403,
  proof_of_work_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  too_large: 413,
  unsupported_type: 415,
  too_many_requests: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

/** Values in the message of an error, by the names of its placeholders. */
export type ErrorParams = Readonly<Record<string, string | number>>

/** An error that the API answers. */
export interface Failure<Message extends string = string> {
  code: ErrorCode
  /** Names the error for programs and translations; unique. */
  reason: string
  /** English text with `{name}` for each value. */
  message: Message
  /** Only programs meet it, so it is not translated. */
  isTechnical?: true
}

/** Defines an error: the only place that names its code, reason and message. */
export const failure = <const Message extends string>(
  code: ErrorCode,
  reason: string,
  message: Message,
): Failure<Message> => ({ code, reason, message })

/** Defines an error that only programs meet: the interface makes no such request. */
export const technical = <const Message extends string>(
  code: ErrorCode,
  reason: string,
  message: Message,
): Failure<Message> => ({ code, reason, message, isTechnical: true })

/** Names of the placeholders of a message. */
export type NameIn<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NameIn<Rest>
  : never

type Unit = `${string}${'Ms' | 'Minutes' | 'Hours' | 'Days' | 'Videos'}`

/** The values that a message needs: numbers where its name ends with a unit. */
export type ParamsIn<Message extends string> = {
  readonly [Name in NameIn<Message>]: Name extends Unit ? number : string | number
}

/** The values of a message as an argument, which one without placeholders lacks. */
export type ParamsArgument<Message extends string> = [NameIn<Message>] extends [never]
  ? []
  : [params: ParamsIn<Message>]

/** The English text of a failure. Values are inserted as they are. */
export function messageOf({ message }: Pick<Failure, 'message'>, params: ErrorParams = {}): string {
  return message.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? ''
    const noun = nounOf(name)
    return noun ? `${value} ${noun}${value === 1 ? '' : 's'}` : formatValue(name, value, 'en')
  })
}

/** Why something failed, beside its text: for programs, and for translations. */
export interface Cause {
  reason: string
  params: ErrorParams
}

/** A cause with its English text. */
export interface Explanation extends Cause {
  message: string
}

/** A failure with its values and its English text. */
export function explain<const Message extends string>(
  definition: Failure<Message>,
  ...args: ParamsArgument<Message>
): Explanation {
  const [params = {}]: readonly ErrorParams[] = args
  return { message: messageOf(definition, params), reason: definition.reason, params }
}

/** One invalid field: `path` is its dotted path from the body's root. */
export interface FieldError extends Explanation {
  path: string
}
