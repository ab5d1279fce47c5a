import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({ settings: { UPLOAD_IDLE_SECONDS: '3' } })
})
afterAll(() => site.close())

const head = (length: number) =>
  'POST /api/v1/users/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
  `Content-Length: ${length}\r\n\r\n`

const open = async () => {
  const socket = connect(Number(new URL(site.origin).port), '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

test.each([
  ['of JSON', `${head(100)}{"email":`],
  [
    'of a form',
    'POST /api/v1/users/register HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n' +
      'Content-Length: 100\r\n\r\n--b\r\nContent-Disposition: form-data; name="email"\r\n\r\na',
  ],
])('who goes silent in the middle %s is told so', { timeout: 60_000 }, async (_, beginning) => {
  const socket = await open()
  socket.write(beginning)
  const [answer = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/)
  expect(JSON.parse(body)).toMatchObject({
    success: false,
    code: 'timeout',
    message: 'Nothing came for 3 s, so the request was ended',
  })
})

test('a sender who gives up is not taken for a database that is lost', async () => {
  const asked = once(site.app.server, 'request') as Promise<[IncomingMessage, ServerResponse]>
  const socket = await open()
  socket.write(`${head(100)}{"email":`)
  const [, response] = await asked
  socket.resetAndDestroy()
  // nobody reads it, but what is logged goes by it
  await expect.poll(() => response.statusCode).toBe(400)
})

test('leaves a connection alone that is kept for the next request', async () => {
  const body = '{"email":"a","password":"b"}'
  const accepted = once(site.app.server, 'connection') as Promise<[Socket]>
  const socket = await open()
  const [peer] = await accepted
  socket.write(head(body.length) + body)
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  expect(String(chunk)).toMatch(/^HTTP\/1.1 401 /)
  expect(peer.timeout ?? 0).not.toBe(3000)
  socket.destroy()
})

test('says that it reads no compressed bodies', async () => {
  const answer = await site.client().fetch('/api/v1/users/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: gzipSync('{"email":"a","password":"b"}'),
  })
  expect(answer.status).toBe(415)
})

test.each([
  ['form-encoded', 'login', 'username', new URLSearchParams('username=a&password=b&username=c')],
  ['in parts', 'register', 'username', twice('username', 'a', 'c')],
  ['as a text and a file', 'register', 'avatar', twice('avatar', 'a', new Blob(['c']))],
])('a field that is sent twice is refused: %s', async (_, call, field, body) => {
  expect((await site.client().post(`/api/v1/users/${call}`, body)).body).toMatchObject({
    statusCode: 400,
    errors: [{ path: field, message: 'A field of the form was sent twice' }],
  })
})

function twice(name: string, ...values: (string | Blob)[]): FormData {
  const form = new FormData()
  for (const value of values) form.append(name, value)
  return form
}

test('a form of more fields than any form has is refused, before it is taken apart', async () => {
  const send = (fields: number) =>
    site
      .client()
      .post(
        '/api/v1/users/login',
        new URLSearchParams(Array.from({ length: fields }, (_, index) => `field${index}=`).join('&')),
      )
  expect((await send(50)).body).toMatchObject({ message: 'Password is required' })
  const answer = await site.client().fetch('/api/v1/users/login', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'a&'.repeat(500_000),
  })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ message: 'The form has more than 100 fields' })
})

// Each of these once took seconds, and would take minutes at this length.
test(
  'texts and headers that take long to look through in a careless way are looked through at once',
  { timeout: 30_000 },
  async () => {
    const long = '@'.repeat(900_000)
    const body = { email: `${long} x`, fullname: 'a', username: 'a', password: '12345678' }
    expect((await site.client().post('/api/v1/users/register', body)).status).toBe(400)
    const headers = { 'accept-encoding': `gzip${' '.repeat(60_000)}x` }
    expect((await site.client().fetch('/', { headers })).status).toBe(200)
  },
)
