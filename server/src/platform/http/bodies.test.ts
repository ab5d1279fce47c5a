import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
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

test('cuts off who goes silent in the middle of a body', { timeout: 60_000 }, async () => {
  const socket = await open()
  socket.on('error', () => {})
  socket.write(`${head(100)}{"email":`)
  socket.resume()
  await expect(once(socket, 'close')).resolves.toBeDefined()
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

test('a form of more fields than any form has is refused, before it is taken apart', async () => {
  const send = (fields: number) =>
    site.client().post('/api/v1/users/login', new URLSearchParams('a&'.repeat(fields)))
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
