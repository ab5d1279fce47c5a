import type { BodyOf, Endpoint, EventsOf, ParamsOf, QueryOf, ResultOf } from '@kinora/contract/endpoint.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { EventStream } from './event-stream.ts'

/** Who is asking, as the session tells. */
export interface Viewer {
  id: string
  username: string
}

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

export interface Route<Context> {
  endpoint: Endpoint
  handle: (input: Input<Endpoint>, context: Context) => Promise<unknown>
}

/** Binds an endpoint to its handler. The handler returns the data (or a Page); the envelope is put on by `mount`. */
export function route<const E extends Endpoint, Context>(
  endpoint: E,
  handle: (input: Input<E>, context: Context) => Promise<ResultOf<E>>,
): Route<Context> {
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- tsc needs it: mount parses by this very endpoint
  return { endpoint, handle: handle as Route<Context>['handle'] }
}
