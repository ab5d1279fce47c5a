import {
  apiPrefix,
  type BodyInputOf,
  type Endpoint,
  type FailureEnvelope,
  type ParamsOf,
  type QueryInputOf,
  type ResultOf,
  type SuccessEnvelope,
} from './endpoint.ts'
import type { Cause, ErrorParams, FieldError } from './failure.ts'
import { parseJson } from './parse-json.ts'

/** A rejection by the server. `message` is the server's own, or empty if the response had none. */
export class ApiError extends Error implements Cause {
  readonly status: number
  readonly code: string
  readonly reason: string
  readonly params: ErrorParams
  readonly errors: FieldError[]

  constructor(
    status: number,
    message: string,
    { code, reason, params, errors }: Partial<Omit<ApiError, 'status' | 'message'>> = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code ?? 'unknown'
    this.reason = reason ?? 'unknown'
    this.params = params ?? {}
    this.errors = errors ?? []
  }
}

/** Set by the web client to translate errors of the API before they are thrown. */
export const failures: { translate?: (failure: ApiError) => Promise<ApiError> } = {}

type Part<Key extends string, Value> = [Value] extends [undefined]
  ? { [K in Key]?: undefined }
  : { [K in Key]: Value }

/** Input of a call: parameters and body if the endpoint has them; a multipart body is a FormData. */
export type CallInput<E extends Endpoint> = Part<'params', ParamsOf<E>> &
  (E['files'] extends object ? { body: FormData } : Part<'body', BodyInputOf<E>>) & {
    query?: QueryInputOf<E>
    signal?: AbortSignal
  }

/** The URL of an endpoint with its parameters filled in, each percent-encoded once. */
export function urlOf(
  endpoint: Endpoint,
  params: Record<string, string> = {},
  query: Record<string, string | number | undefined> = {},
): string {
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    // a lone surrogate has no encoding
    encodeURIComponent((params[name] ?? '').toWellFormed()),
  )
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value))
  return `${apiPrefix}${path}${search.size > 0 ? `?${search.toString()}` : ''}`
}

function bodyOf(endpoint: Endpoint, body: unknown): Pick<RequestInit, 'body' | 'headers'> {
  if (body === undefined) return {}
  if (body instanceof FormData) return { body }
  if (endpoint.encoding === 'form') return { body: new URLSearchParams(body as Record<string, string>) }
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

/** Parses a response of the API. Throws ApiError for failures and for responses that are not JSON, such as a proxy's page. */
export async function parseResponse(response: Response): Promise<SuccessEnvelope> {
  const text = await response.text()
  // An empty successful response counts as an envelope without data.
  if (response.ok && text === '') return {} as SuccessEnvelope
  const envelope = parseJson(text) as SuccessEnvelope | FailureEnvelope | undefined
  // The status decides. A proxy's page is a failure, whatever its status.
  if (response.ok && typeof envelope === 'object') return envelope as SuccessEnvelope
  const failure = envelope && !envelope.success ? envelope : undefined
  const error = new ApiError(response.status, failure?.message ?? '', failure)
  // without its translation it is thrown as it came
  throw (await failures.translate?.(error).catch(() => error)) ?? error
}

/**
 * Calls an endpoint. In a browser `fetch` sends the session cookie; other callers pass a `send` that adds host and cookies.
 *
 * Returns the data, or a page `{ items, nextCursor }` if the endpoint is paged. Throws `ApiError` for a rejection,
 * `TypeError` without a network, `AbortError` when aborted.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  send: (path: string, init: RequestInit) => Promise<Response> = fetch,
): Promise<ResultOf<E>> {
  const { params, query, body, signal } = input as {
    params?: Record<string, string>
    query?: Record<string, string | number | undefined>
    body?: unknown
    signal?: AbortSignal
  }
  const response = await send(urlOf(endpoint, params, query), {
    method: endpoint.method,
    // `keepalive` completes the request if the page is left. Browsers limit its body to 64 KiB.
    ...(endpoint.method !== 'GET' && body === undefined ? { keepalive: true } : {}),
    ...bodyOf(endpoint, body),
    ...(signal ? { signal } : {}),
  })
  const { data, nextCursor } = await parseResponse(response)
  // A malformed list would break every page that shows it, including the error page.
  if (endpoint.paged && !Array.isArray(data)) throw new ApiError(response.status, '')
  // The server parses every result against the same schema on its way out.
  return (endpoint.paged ? { items: data, nextCursor: nextCursor ?? null } : data) as ResultOf<E>
}
