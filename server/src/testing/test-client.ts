import { call, type CallInput } from '@kinora/contract/client.ts'
import type { Endpoint, FailureEnvelope, ResultOf, SuccessEnvelope } from '@kinora/contract/endpoint.ts'

type Envelope = Omit<SuccessEnvelope, 'success'> &
  Partial<Omit<FailureEnvelope, 'success' | 'data'>> & { success: boolean }

/** What was answered; `body` is the envelope of an API call, or undefined where the answer was not JSON. */
export interface Answer {
  status: number
  headers: Headers
  text: string
  body: Envelope
}

/** A browser without a screen: it keeps cookies from one request to the next. */
export class TestClient {
  readonly cookies = new Map<string, string>()
  readonly origin: string

  constructor(origin: string) {
    this.origin = origin
  }

  /** The same visitor at another process of the site, with what cookies they have now. */
  at(origin: string): TestClient {
    const there = new TestClient(origin)
    for (const [name, value] of this.cookies) there.cookies.set(name, value)
    return there
  }

  /** The cookies as a header. */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Calls an endpoint of the contract. Answers its data; throws ApiError for a refusal. */
  async call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<ResultOf<E>> {
    return call(endpoint, input, (path, init) => this.fetch(path, init))
  }

  /** Any request, by path; the answer as it is, for headers, ranges and streams. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (this.cookies.size > 0) headers.set('cookie', this.cookie)
    const response = await fetch(this.origin + path, { redirect: 'manual', ...init, headers })
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie)
    return response
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path)
  }

  /** A plain object is sent as JSON, FormData as multipart, URLSearchParams as a form. */
  post(path: string, body?: object): Promise<Answer> {
    return this.send('POST', path, body)
  }

  patch(path: string, body?: object): Promise<Answer> {
    return this.send('PATCH', path, body)
  }

  put(path: string, body?: object): Promise<Answer> {
    return this.send('PUT', path, body)
  }

  delete(path: string): Promise<Answer> {
    return this.send('DELETE', path)
  }

  async send(method: string, path: string, body?: object): Promise<Answer> {
    const response = await this.fetch(path, { method, ...encode(body) })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
    }
  }

  #keep(header: string): void {
    const [pair = '', ...attributes] = header.split(/;\s*/)
    const at = pair.indexOf('=')
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
    const isGone = attributes.some((attribute) => {
      const [key = '', text = ''] = attribute.split('=')
      if (/^max-age$/i.test(key)) return Number(text) <= 0
      return /^expires$/i.test(key) && Date.parse(text) <= Date.now()
    })
    if (isGone) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

/** A body as `TestClient` sends it. */
export function encode(body: object | undefined): RequestInit {
  if (body === undefined) return {}
  if (body instanceof FormData || body instanceof URLSearchParams) return { body }
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}
