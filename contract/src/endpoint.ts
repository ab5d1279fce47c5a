import type { z } from 'zod'
import type { Cause, FieldError } from './failure.ts'
import type { Role } from './accounts/roles.ts'
import type { ChannelRole } from './channel-roles.ts'

/** `required` rejects signed-out callers with 401; `optional` passes the user if somebody is signed in. */
export type Auth = 'none' | 'optional' | 'required'

/** A file field of a multipart form. File types are detected by content, never by name. */
export interface FileField {
  required: boolean
  description: string
}

/** Contract of one API call. Paths are relative to `apiPrefix`. */
export interface Endpoint {
  /** operationId in the OpenAPI document; also the name in logs. */
  name: string
  /** The noun it belongs to, for grouping in the reference. */
  tag: string
  summary: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `:name` for each parameter, e.g. `/video/:id`. */
  path: string
  auth: Auth
  /** The least role of the caller; others get 403. Goes with `auth: 'required'`. */
  role?: Role
  /**
   * The least role of callers who work on a channel of somebody else: that of the video in the path, or of `channel` in the
   * query. Without it the call is about the caller's own channel.
   */
  channelRole?: ChannelRole
  params?: z.ZodObject
  query?: z.ZodObject
  /** Fields as JSON, form-encoded or multipart; with `files` the text fields of a multipart form. */
  body?: z.ZodType
  /** File fields: their presence makes the body multipart/form-data. */
  files?: Record<string, FileField>
  /** How the browser sends the body; the server accepts every encoding. */
  encoding?: 'json' | 'form'
  result: z.ZodType
  /**
   * Instead of an envelope the response is a stream of server-sent events: the schema of each event's data, by its
   * name.
   */
  events?: EventsOf
  /** A paged list: the envelope has `nextCursor`. */
  paged?: boolean
  status?: 200 | 201
  /** Message of the envelope on success. */
  message: string
}

export type EventsOf = Readonly<Record<string, z.ZodType>>

export const apiPrefix = '/api/v1'

/** Declares an endpoint; the type keeps every schema, from which handlers and callers are typed. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined
type Input<S> = S extends z.ZodType ? z.input<S> : undefined

export type ParamsOf<E extends Endpoint> = Output<E['params']>
export type QueryOf<E extends Endpoint> = Output<E['query']>
export type BodyOf<E extends Endpoint> = Output<E['body']>
export type BodyInputOf<E extends Endpoint> = Input<E['body']>
export type QueryInputOf<E extends Endpoint> = Input<E['query']>

/** One page of a list, newest or most relevant first; `nextCursor` is null on the last page. */
export interface Page<T> {
  items: T[]
  nextCursor: string | null
}

/** Return type of a handler: the data, or a page of it if the endpoint is paged. */
export type ResultOf<E extends Endpoint> = E['paged'] extends true
  ? z.output<E['result']> extends readonly (infer Item)[]
    ? Page<Item>
    : never
  : z.output<E['result']>

export interface SuccessEnvelope {
  success: true
  statusCode: number
  message: string
  data: unknown
  nextCursor?: string | null
}

export interface FailureEnvelope extends Cause {
  success: false
  statusCode: number
  message: string
  code: string
  errors: FieldError[]
  requestId: string
  data: null
}
