import { beforeEach, expect, test, vi } from 'vitest'
import { sendInOneRequest } from './send-in-one-request.ts'
import { transferFile } from './transfer-file.ts'

type Response = { status: number; headers?: Record<string, string>; text?: string }

/** How the server responds to the next request; not at all without a response. */
let respond: (request: FakeRequest) => Response | undefined
let sent: FakeRequest[] = []

/** The network as far as uploads use it: a request is sent in full, and its response may never come. */
class FakeRequest extends EventTarget {
  readonly upload = Object.assign(new EventTarget(), { onprogress: undefined })
  readonly headers = new Map<string, string>()
  method = ''
  status = 0
  responseText = ''
  isAborted = false
  onload: (() => void) | undefined
  #response: Response = { status: 0 }

  open(method: string) {
    this.method = method
  }

  setRequestHeader(name: string, value: string) {
    this.headers.set(name.toLowerCase(), value)
  }

  getResponseHeader(name: string) {
    return this.#response.headers?.[name.toLowerCase()] ?? null
  }

  send() {
    sent.push(this)
    const response = respond(this)
    if (!response) return
    this.#response = response
    this.status = response.status
    this.responseText = response.text ?? ''
    queueMicrotask(() => {
      this.onload?.()
      this.dispatchEvent(new Event('load'))
      this.dispatchEvent(new Event('loadend'))
    })
  }

  abort() {
    this.isAborted = true
    this.dispatchEvent(new Event('loadend'))
  }
}

beforeEach(() => {
  sent = []
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
})

const file = new File(['tide table'], 'tides.mp4', { type: 'video/mp4' })
const { signal } = new AbortController()

test('continues a resumable upload whose connection went silent', async () => {
  const onInterrupted = vi.fn<() => void>()
  const offset = String(file.size)
  respond = ({ method }) => {
    if (method === 'POST') return { status: 201, headers: { location: '/api/v1/uploads/abc' } }
    if (method === 'HEAD') return { status: 200, headers: { 'upload-offset': '0', 'upload-length': offset } }
    const isFirst = sent.filter((request) => request.method === method).length === 1
    return isFirst ? undefined : { status: 204, headers: { 'upload-offset': offset } }
  }
  expect(await transferFile(file, { signal, stallMs: 100, onSent: () => undefined, onInterrupted })).toBe(
    'abc',
  )
  expect(sent.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'HEAD', 'PATCH'])
  expect(sent.map(({ isAborted }) => isAborted)).toEqual([false, true, false, false])
  expect(onInterrupted).toHaveBeenCalledTimes(1)
})

test('repeats an upload in one request whose connection went silent, with the same key', async () => {
  const onInterrupted = vi.fn<() => void>()
  respond = () => (sent.length === 1 ? undefined : { status: 201, text: '{"data":{"_id":"abc"}}' })
  const draft = { title: '', description: '', keepsMetadata: false, visibility: 'public' as const }
  const options = { signal, stallMs: 100, onSent: () => undefined, onInterrupted }
  const video = await sendInOneRequest({ ...draft, thumbnail: file, video: file }, options)
  expect(video._id).toBe('abc')
  expect(sent.map(({ isAborted }) => isAborted)).toEqual([true, false])
  expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
  expect(onInterrupted).toHaveBeenCalledTimes(1)
})
