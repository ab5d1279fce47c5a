import type { BodyOf, Endpoint, EventsOf, ParamsOf, QueryOf, ResultOf } from '@kinora/contract/endpoint.ts'
import type { Role } from '@kinora/contract/accounts/roles.ts'
import type { TokenScope } from '@kinora/contract/accounts/token-scopes.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { EventStream } from './event-stream.ts'
import type { CacheTag } from '../../tagged-cache.ts'

/** Choices of a user that lists follow. The product declares them; members with the same ones share responses. */
export interface ListChoices {}

/** The user of the session. */
export interface Viewer {
  id: string
  username: string
  role: Role
  /** Whether lists leave somebody out for the user. */
  hasMuted: boolean
  choices: ListChoices
  /** When the session began; undefined for an API token. */
  signedInAt?: Date
  /** Id of the API token of the request; undefined for a session. */
  tokenId?: string
}

/**
 * Returns the user of a request; null when signed out. May renew the session's cookie on the reply. Rejects API tokens
 * without `scope`, and all of them if it is null.
 */
export type Authenticate = (
  request: FastifyRequest,
  reply: FastifyReply,
  scope: TokenScope | null,
) => Promise<Viewer | null>

/** Placeholder viewer of responses that all signed-in users share. */
export const placeholderMember: Viewer = {
  id: '',
  username: '',
  role: 'member',
  hasMuted: false,
  choices: {},
}

type ViewerOf<E extends Endpoint> = E['auth'] extends 'required'
  ? Viewer
  : E['auth'] extends 'optional'
    ? Viewer | null
    : undefined

/** The channel that a call is about: the caller's own, or one on which the caller works. */
export interface WorkedChannel {
  id: string
}

/** Parsed by the endpoint's schemas. A multipart body is read with `readForm`. */
export interface Input<E extends Endpoint> {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: E['files'] extends object ? undefined : BodyOf<E>
  user: ViewerOf<E>
  /** Only where the endpoint has a `channelRole`. */
  channel: E['channelRole'] extends string ? WorkedChannel : undefined
  /** Only where the endpoint has `events`; the response ends when the handler returns. */
  stream: E['events'] extends EventsOf ? EventStream<E['events']> : undefined
  request: FastifyRequest
  reply: FastifyReply
}

type Handle<E extends Endpoint, Context> = (input: Input<E>, context: Context) => Promise<ResultOf<E>>

interface ReadOptions {
  /**
   * Caches the response for signed-out viewers: for at most a second, and until a write clears one of these tags. They
   * cover everything in the response.
   */
  cacheTags?: readonly CacheTag[]
  /**
   * Cached reads: signed-in viewers who muted nobody share one response, built for `placeholderMember`. When that one is `not_found`, the viewer
   * gets an uncached response of their own.
   */
  isSharedByMembers?: boolean
}

interface WriteOptions {
  /** Tags of what the write changes for other people: cached responses with one of them are built again. */
  clears: readonly CacheTag[]
  /** False for frequent writes that change neither an account nor content. */
  isAudited?: boolean
}

type Read = Endpoint & { method: 'GET' }
type Write = Endpoint & { method: Exclude<Endpoint['method'], 'GET'> }

export interface Route<Context> extends ReadOptions, Partial<WriteOptions> {
  endpoint: Endpoint
  handle: (input: Input<Endpoint>, context: Context) => Promise<unknown>
}

/** Binds an endpoint to its handler. The handler returns the data or a Page; `registerRoutes` adds the envelope. */
export function route<const E extends Read, Context>(endpoint: E, handle: Handle<E, Context>): Route<Context>
export function route<const E extends Read, Context>(
  endpoint: E,
  options: ReadOptions,
  handle: Handle<E, Context>,
): Route<Context>
export function route<const E extends Write, Context>(
  endpoint: E,
  options: WriteOptions,
  handle: Handle<E, Context>,
): Route<Context>
export function route<Context>(endpoint: Endpoint, first: unknown, second?: unknown): Route<Context> {
  const [options, handle] = second === undefined ? [{}, first] : [first, second]
  // The overloads have typed both for this endpoint; registerRoutes parses the input with its schemas.
  return { endpoint, ...(options as object), handle: handle as Route<Context>['handle'] }
}
