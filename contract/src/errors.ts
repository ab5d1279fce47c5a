/** Every error code of the API and its HTTP status. The message is for users, the code for programs. */
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

/** Message of calls that need a session. The interface asks to sign in instead of showing it. */
export const signInFirstMessage = 'Please sign in first'

/** One invalid field: `path` is its dotted path from the body's root. */
export interface FieldError {
  path: string
  message: string
}
