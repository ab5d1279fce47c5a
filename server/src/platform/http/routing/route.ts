import type { BodyOf, Endpoint, EventsOf, ParamsOf, QueryOf, ResultOf } from '@kinora/contract/endpoint.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { EventStream } from './event-stream.ts'
import type { Changes } from '../delivery/response-cache.ts'

/** Who is asking, as the session tells. */
export interface Viewer {
  id: string
  username: string
}

/** Somebody signed in, but nobody in particular: what they see, every member sees. */
export const anyMember: Viewer = { id: '', username: '' }

type ViewerOf<E extends Endpoint> = E['auth'] extends 'required'
  ? Viewer
  : E['auth'] extends 'optional'
    ? Viewer | null
    : undefined

/** What a handler gets: everything parsed by the endpoint's schemas. A multipart body is read with `readForm`. */
export interface Input<E extends Endpoint> {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: E['files'] extends object ? undefined : BodyOf<E>
  user: ViewerOf<E>
  /** Only where the endpoint has `events`; the answer ends when the handler does. */
  stream: E['events'] extends EventsOf ? EventStream<E['events']> : undefined
  request: FastifyRequest
  reply: FastifyReply
}

type Handle<E extends Endpoint, Context> = (input: Input<E>, context: Context) => Promise<ResultOf<E>>

/** How an endpoint stands to the answers that are kept ready; see ready-answers.ts. */
export interface Readiness<E extends Endpoint> {
  /**
   * Of a read: its answer to who is signed out is kept ready until something in it changes. Names what it is about
   * beside the `_id`s in it.
   */
  keep?: (params: ParamsOf<E>) => readonly string[]
  /**
   * Of a read that is kept: all signed-in viewers share one answer, too, made for `anyMember`. Where that finds nothing,
   * the viewer gets one of their own, which nobody else gets.
   */
  isSameForMembers?: boolean
  /**
   * Of a write: what it changes of what others see, by `_id` or by a name said in `keep`; everything when not said, and
   * `raised` where all that changes are counts that the handler has raised itself.
   */
  changes?: (input: Input<E>) => Changes | 'raised'
  /** Of a write: false where it changes neither an account nor content, and comes too often for a line in the log. */
  isAudited?: boolean
}

export interface Route<Context> extends Readiness<Endpoint> {
  endpoint: Endpoint
  handle: (input: Input<Endpoint>, context: Context) => Promise<unknown>
}

/** The `changes` of a write that nobody but who sent it sees anything of. */
export const nothing = (): Changes => []

/** Binds an endpoint to its handler. The handler returns the data (or a Page); the envelope is put on by `mount`. */
export function route<const E extends Endpoint, Context>(
  endpoint: E,
  handle: Handle<E, Context>,
): Route<Context>
export function route<const E extends Endpoint, Context>(
  endpoint: E,
  readiness: Readiness<E>,
  handle: Handle<E, Context>,
): Route<Context>
export function route<Context>(endpoint: Endpoint, first: unknown, second?: unknown): Route<Context> {
  const [readiness, handle] = second === undefined ? [{}, first] : [first, second]
  // the overloads have typed both for this endpoint, by whose schemas mount parses what it calls them with
  return { endpoint, ...(readiness as Readiness<Endpoint>), handle: handle as Route<Context>['handle'] }
}
