import { api } from '@kinora/contract/api.ts'
import { apiPrefix, type Endpoint, type Page, type ResultOf } from '@kinora/contract/endpoint.ts'
import type { ErrorCode } from '@kinora/contract/failure.ts'
import { exampleOf, failureExampleOf } from '@kinora/contract/examples.ts'
import { getCurrentUser } from '@kinora/contract/accounts/users.ts'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { z } from 'zod'
import { rootOptions } from '../lib/browser/root-options.ts'
import { createQueryClient } from '../query-client.ts'
import { routes } from '../routes.tsx'

/** A call that a page made. */
interface Call {
  method: string
  path: string
  params: Record<string, string>
  query: Record<string, string>
  body: Record<string, unknown>
}

type Result<E extends Endpoint> = ResultOf<E> | Response
type Reply = (call: Call) => unknown

const keyOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`
// `/video/all` before `/video/:id`
const patterns = api
  .toSorted((one, other) => one.path.split(':').length - other.path.split(':').length)
  .map((endpoint) => ({ endpoint, pattern: new URLPattern({ pathname: apiPrefix + endpoint.path }) }))

const tester = location.href
const { fetch } = globalThis
const replies = new Map<string, Reply>()
const calls: (Call & { key: string })[] = []
let leave = async () => {}

beforeEach(async () => {
  await page.viewport(1280, 800)
  replies.clear()
  calls.length = 0
  vi.stubGlobal('fetch', respond)
  vi.stubGlobal('EventSource', Stream)
  navigator.sendBeacon = () => true
})

afterEach(async () => {
  await leave()
  vi.unstubAllGlobals()
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', tester)
})

/**
 * Sets the response to a call: the data of its contract, a page of a paged list, or any other response. Without one, the
 * site responds with the example of the contract. Its member is Jonas Brandt, and its video is by Ines Falk.
 */
export function reply<E extends Endpoint>(
  endpoint: E,
  result: Result<E> | ((call: Call) => Result<E> | Promise<Result<E>>),
): void {
  replies.set(keyOf(endpoint), typeof result === 'function' ? (result as Reply) : () => result)
}

/** The response to a rejected call. */
export const rejection = (code: ErrorCode, message = 'Rejected by the server') => {
  const json = failureExampleOf({ code, reason: 'rejected', message })
  return Response.json(json, { status: json.statusCode })
}

/** Throws what `fetch` throws without a connection. */
export function disconnect(): never {
  throw new TypeError('Failed to fetch')
}

/** The data of the contract's example. */
export const exampleData = <E extends Endpoint>(endpoint: E) =>
  endpoint.result.parse(exampleOf(endpoint).data) as z.output<E['result']>

export const signOut = () => reply(getCurrentUser, () => rejection('unauthenticated'))

/** Calls of an endpoint so far. */
export const callsOf = (endpoint: Endpoint): Call[] => calls.filter(({ key }) => key === keyOf(endpoint))

/** Calls so far, as "METHOD /path". */
export const allCalls = (): string[] => calls.map(({ method, path }) => `${method} ${path}`)

/** Calls so far that change something. */
export const changes = (): string[] => allCalls().filter((call) => !call.startsWith('GET '))

/** Publishes an event to the open page, once it listens for it: a row may show before that. */
export async function publish(name: string, data: unknown): Promise<void> {
  const stream = await vi.waitFor(() => {
    const listening = [...Stream.open].find(({ names }) => names.has(name))
    if (!listening) throw new Error(`The page does not listen for ${name}`)
    return listening
  }, 30_000)
  stream.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }))
}

/** Opens a page of the site, with its frame. */
export async function openPage(address: string): Promise<void> {
  await leave()
  history.pushState(null, '', address)
  const client = createQueryClient()
  const router = createBrowserRouter(routes)
  const { unmount } = await render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nProvider>,
    { createRootOptions: rootOptions },
  )
  leave = async () => {
    leave = async () => {}
    await unmount()
    router.dispose()
    client.clear()
  }
}

async function respond(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input, location.href)
  if (!url.pathname.startsWith(apiPrefix))
    return url.protocol === 'data:' ? fetch(url) : new Response('', { status: 404 })
  const { method = 'GET', body } = init
  for (const { endpoint, pattern } of patterns) {
    const match = endpoint.method === method && pattern.exec(url)
    if (!match) continue
    const groups = Object.entries(match.pathname.groups)
    const call: Call = {
      method,
      path: decodeURIComponent(url.pathname.slice(apiPrefix.length)),
      params: Object.fromEntries(groups.map(([name, value = '']) => [name, decodeURIComponent(value)])),
      query: Object.fromEntries(url.searchParams),
      body:
        typeof body === 'string'
          ? JSON.parse(body)
          : Object.fromEntries((body as FormData | undefined) ?? []),
    }
    calls.push({ ...call, key: keyOf(endpoint) })
    const result = await replies.get(keyOf(endpoint))?.(call)
    init.signal?.throwIfAborted()
    return result instanceof Response ? result : Response.json(envelopeOf(endpoint, result))
  }
  throw new Error(`There is no call ${method} ${url.pathname}`)
}

/** The envelope of a result as the server sends it, but without addresses of files. */
function envelopeOf(endpoint: Endpoint, result: unknown): unknown {
  const example = exampleOf(endpoint)
  const paged = endpoint.paged ? (result as Page<unknown> | undefined) : undefined
  const data = paged?.items ?? (result === undefined ? example.data : result)
  const envelope = { success: true, data: endpoint.result.parse(data), nextCursor: paged?.nextCursor ?? null }
  return JSON.parse(JSON.stringify(envelope).replaceAll(/"\/media\/[^"]*"/g, '"data:,"'))
}

/** The stream of events of the site. */
class Stream extends EventTarget {
  static readonly OPEN = 1
  static readonly open = new Set<Stream>()
  readonly readyState = 1
  /** Names of events that somebody listens for. */
  readonly names = new Set<string>()
  constructor() {
    super()
    Stream.open.add(this)
    queueMicrotask(() => this.dispatchEvent(new Event('open')))
  }
  override addEventListener(...listener: Parameters<EventTarget['addEventListener']>): void {
    this.names.add(listener[0])
    super.addEventListener(...listener)
  }
  close(): void {
    Stream.open.delete(this)
  }
}
