import type { Endpoint } from './endpoint.ts'
import { errors } from './errors.ts'
import { failureExampleOf } from './examples.ts'
import { errorStatus, type ErrorParams, type Failure } from './failure.ts'

type Json = Record<string, unknown>

interface FailureText {
  description: string
  /** The example. */
  failure: Failure
  params?: ErrorParams
  path?: string
}

const failures = {
  Invalid: {
    description: 'Invalid input; `errors` lists the fields.',
    failure: errors.required,
    params: { label: 'Title' },
    path: 'title',
  },
  Unauthenticated: {
    description: 'Not signed in, or wrong username or password.',
    failure: errors.signInRequired,
  },
  Forbidden: {
    description: 'Only moderators or administrators may do this.',
    failure: errors.moderatorRequired,
  },
  NotFound: {
    description: 'No such id, name or address.',
    failure: errors.addressNotFound,
  },
  TooLarge: {
    description: 'The body or a file in it is too large.',
    failure: errors.requestTooLarge,
  },
  UnsupportedType: {
    description: 'Unsupported content type of the body.',
    failure: errors.unsupportedType,
  },
  TooManyRequests: {
    description: 'Too many requests. Try again after `Retry-After` seconds.',
    failure: errors.tooManyAttempts,
  },
  Failure: {
    description: 'Any other failure.',
    failure: errors.unavailable,
  },
} satisfies Record<string, FailureText>

const causeSchemas: Json = {
  reason: {
    type: 'string',
    description: 'What went wrong, for programs: one of the list in docs/errors.md.',
  },
  params: {
    type: 'object',
    additionalProperties: { type: ['string', 'number'] },
    description: 'Values of the message.',
  },
}

/** Schema of the envelope of every failure. */
export const failureSchema: Json = {
  type: 'object',
  properties: {
    success: { const: false },
    statusCode: { type: 'integer' },
    message: { type: 'string', description: 'Message for users.' },
    code: { enum: Object.keys(errorStatus), description: 'Kind of error, for programs.' },
    ...causeSchemas,
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, message: { type: 'string' }, ...causeSchemas },
        required: ['path', 'message', 'reason', 'params'],
      },
    },
    requestId: { type: 'string', description: 'Identifies the request in the logs.' },
    data: { type: 'null' },
  },
  required: ['success', 'statusCode', 'message', 'code', 'reason', 'params', 'errors', 'requestId', 'data'],
}

/** Responses of the document that operations refer to. */
export const failureResponses: Json = Object.fromEntries(
  Object.entries<FailureText>(failures).map(([name, { description: text, failure, params, path }]) => [
    name,
    {
      description: text,
      ...(name === 'TooManyRequests'
        ? { headers: { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } } }
        : {}),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Failure' },
          example: failureExampleOf(failure, params, path),
        },
      },
    },
  ]),
)

/** The failures that an endpoint can answer with, by status. */
export function failureResponsesOf(endpoint: Endpoint): Json {
  const hasInput = endpoint.query ?? endpoint.body ?? endpoint.files
  const refusals: Partial<Record<number, keyof typeof failures>> = {
    ...(hasInput ? { 400: 'Invalid' } : {}),
    ...(endpoint.auth === 'required' || endpoint.name === 'login' ? { 401: 'Unauthenticated' } : {}),
    ...((endpoint.role ?? endpoint.channelRole) ? { 403: 'Forbidden' } : {}),
    ...(endpoint.params ? { 404: 'NotFound' } : {}),
    ...((endpoint.body ?? endpoint.files) ? { 413: 'TooLarge', 415: 'UnsupportedType' } : {}),
    429: 'TooManyRequests',
  }
  return Object.fromEntries(
    Object.entries(refusals).map(([code, name]) => [code, { $ref: `#/components/responses/${name}` }]),
  )
}
