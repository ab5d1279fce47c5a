import type { z } from 'zod'
import type { Endpoint, EventsOf } from '../endpoint.ts'

/** An example of one call: the request, and the `data` of the response. */
export interface Example {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  /** The fields of the body, without files. */
  body?: unknown
  /** Names of the uploaded files, by field. */
  files?: Partial<Record<string, string>>
  data: unknown
  nextCursor?: string | null
  events?: Record<string, unknown>
}

type Sent<Key extends string, Schema> = Schema extends z.ZodType ? Record<Key, z.input<Schema>> : object

/** Example typed by the schemas of the endpoint. */
type ExampleOf<E extends Endpoint> = Sent<'params', E['params']> &
  Sent<'query', E['query']> &
  Sent<'body', E['body']> &
  (E['files'] extends object ? { files: Partial<Record<keyof E['files'], string>> } : object) &
  (E['paged'] extends true ? { nextCursor: string | null } : object) &
  (E['events'] extends EventsOf
    ? { events: { [Name in keyof E['events']]: z.output<E['events'][Name]> } }
    : object) & { data: z.output<E['result']> }

/** One entry of a list of examples: the name of the call, and its example. */
export const example = <E extends Endpoint>({ name }: E, shown: ExampleOf<E>): [string, Example] => [
  name,
  shown,
]
