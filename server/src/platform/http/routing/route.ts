import type { BodyOf, Endpoint, EventsOf, ParamsOf, QueryOf, ResultOf } from '@kinora/contract/endpoint.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { EventStream } from './event-stream.ts'
import type { Invalidation } from '../delivery/response-cache.ts'

/** The user of the session. */
export interface Viewer {
  id: string
  username: string
}

/** Placeholder viewer of responses that all signed-in users share. */
export const anyMember: Viewer = { id: '', username: '' }

type ViewerOf<E extends Endpoint> = E['auth'] extends 'required'
  ? Viewer
  : E['auth'] extends 'optional'
    ? Viewer | null
    : undefined

/** Parsed by the endpoint's schemas. A multipart body is read with `readForm`. */
export interface Input<E extends Endpoint> {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: E['files'] extends object ? undefined : BodyOf<E>
  user: ViewerOf<E>
  /** Only where the endpoint has `events`; the response ends when the handler returns. */
  stream: E['events'] extends EventsOf ? EventStream<E['events']> : undefined
  request: FastifyRequest
  reply: FastifyReply
}

type Handle<E extends Endpoint, Context> = (input: Input<E>, context: Context) => Promise<ResultOf<E>>

/** How an endpoint uses the response cache; see response-cache.ts. */
export interface RouteOptions<E extends Endpoint> {
  /**
   * Reads: caches the response for signed-out viewers. Returns the names that invalidate it in addition to the ids
   * in the response.
   */
  cache?: (params: ParamsOf<E>) => readonly string[]
  /**
   * Cached reads: signed-in viewers share one response, built for `anyMember`. When that one is `not_found`, the viewer
   * gets an uncached response of their own.
   */
  isSharedByMembers?: boolean
  /**
   * Writes: the ids and names (see `cache`) that change for other viewers. Default: everything. `counters` where the
   * handler itself calls `applyCounters` and nothing else changes.
   */
  invalidates?: (input: Input<E>) => Invalidation | 'counters'
  /** Writes: false for frequent ones that change neither an account nor content. */
  isAudited?: boolean
}

export interface Route<Context> extends RouteOptions<Endpoint> {
  endpoint: Endpoint
  handle: (input: Input<Endpoint>, context: Context) => Promise<unknown>
}

/** For `invalidates` of a write that only its sender can see. */
export const nothing = (): Invalidation => []

/** Binds an endpoint to its handler. The handler returns the data or a Page; `registerRoutes` adds the envelope. */
export function route<const E extends Endpoint, Context>(
  endpoint: E,
  handle: Handle<E, Context>,
): Route<Context>
export function route<const E extends Endpoint, Context>(
  endpoint: E,
  options: RouteOptions<E>,
  handle: Handle<E, Context>,
): Route<Context>
export function route<Context>(endpoint: Endpoint, first: unknown, second?: unknown): Route<Context> {
  const [options, handle] = second === undefined ? [{}, first] : [first, second]
  // The overloads have typed both for this endpoint; registerRoutes parses the input with its schemas.
  return { endpoint, ...(options as RouteOptions<Endpoint>), handle: handle as Route<Context>['handle'] }
}
