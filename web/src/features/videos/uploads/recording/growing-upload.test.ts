import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endUpload, GrowingUpload, type GrowingState } from './growing-upload.ts'

/** A server that stores one upload, and fails on demand. */
class FakeServer {
  bytes = ''
  length: number | undefined
  /** Failures of the next requests: a status, or a connection that breaks after some bytes. */
  failures: (number | { after: number })[] = []
  requests: string[] = []

  readonly fetch = async (
    _url: string,
    { method = 'GET', headers, body }: RequestInit,
  ): Promise<Response> => {
    this.requests.push(method)
    const failure = this.failures.shift()
    if (typeof failure === 'number') return rejection(failure)
    if (method === 'HEAD') return new Response(null, { headers: this.#offset() })
    const sent = new Headers(headers)
    if (Number(sent.get('upload-offset')) !== this.bytes.length) return rejection(409)
    const text = await (body as Blob).text()
    this.bytes += text.slice(0, failure?.after ?? text.length)
    if (failure) throw new TypeError('Failed to fetch')
    const length = sent.get('upload-length')
    if (length !== null) this.length = Number(length)
    return new Response(null, { status: 204, headers: this.#offset() })
  }

  #offset = () => ({ 'upload-offset': String(this.bytes.length) })
}

const rejection = (status: number) => {
  const reasons: Record<number, string> = { 413: 'quota_bytes', 503: 'disk_full' }
  const reason = reasons[status] ?? 'other'
  const json = {
    success: false,
    statusCode: status,
    code: 'x',
    reason,
    message: 'Refused',
    errors: [],
    data: null,
  }
  return Response.json(json, { status })
}

let server: FakeServer
let states: GrowingState[]
let upload: GrowingUpload

beforeEach(() => {
  vi.useFakeTimers()
  server = new FakeServer()
  states = []
  vi.stubGlobal('fetch', server.fetch)
  vi.stubGlobal('addEventListener', () => undefined)
  upload = new GrowingUpload('u1', (state) => states.push(state))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const later = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('sends what was added every three seconds, and its length at the end', async () => {
  upload.add(new Blob(['one ']))
  upload.add(new Blob(['two ']))
  await later(2900)
  expect(server.bytes).toBe('')
  await later(200)
  expect(server.bytes).toBe('one two ')
  upload.add(new Blob(['three']))
  await upload.finish()
  expect([server.bytes, server.length]).toEqual(['one two three', 13])
  expect(states.at(-1)).toMatchObject({ sentBytes: 13, pendingBytes: 0 })
})

test('continues after a lost connection from where the server is', async () => {
  server.failures = [{ after: 3 }, 502]
  upload.add(new Blob(['harbour']))
  await later(3100)
  expect(states.at(-1)).toMatchObject({ interruption: 'connection', pendingBytes: 7 })
  upload.add(new Blob([' wall']))
  await later(20_000)
  expect(states.at(-1)).toMatchObject({ interruption: undefined, sentBytes: 12, pendingBytes: 0 })
  expect(server.bytes).toBe('harbour wall')
})

test('waits for somebody to sign in', async () => {
  server.failures = [401]
  upload.add(new Blob(['quay']))
  await later(3100)
  expect(states.at(-1)?.interruption).toBe('sign_in')
  await later(5000)
  expect(server.bytes).toBe('quay')
})

test.for([
  ['quota', 413, 'quota_bytes'],
  ['disk', 503, 'disk_full'],
] as const)('a full %s ends it, and what was sent can be kept', async ([, status, reason]) => {
  upload.add(new Blob(['kept']))
  await later(3100)
  server.failures = [status]
  upload.add(new Blob(['too much']))
  await later(3100)
  expect(states.at(-1)?.refusal).toMatchObject({ reason })
  const requests = server.requests.length
  upload.add(new Blob(['more']))
  await later(60_000)
  expect(server.requests).toHaveLength(requests)
  await upload.finishAsSent()
  expect([server.bytes, server.length]).toEqual(['kept', 4])
})

test('what was refused is sent again on demand', async () => {
  server.failures = [413]
  upload.add(new Blob(['slipway']))
  await later(3100)
  await upload.finish()
  expect([server.bytes, server.length]).toEqual(['slipway', 7])
})

test('ends an upload that another visit left, also if it has ended already', async () => {
  server.bytes = 'salt'
  await endUpload('u1')
  expect(server.length).toBe(4)
  server.failures = []
  const { fetch } = server
  vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
    init.method === 'PATCH' ? rejection(400) : fetch(url, init),
  )
  await endUpload('u1')
})
