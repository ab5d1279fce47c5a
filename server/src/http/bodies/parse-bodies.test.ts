import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { listComments } from '@kinora/contract/conversation/comments.ts'
import { getCurrentUser } from '@kinora/contract/accounts/users.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/fixtures/test-app.ts'
import { signUp, testPassword } from '../../testing/fixtures/test-users.ts'
import { addVideo } from '../../testing/fixtures/test-videos.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp()
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
  [
    'JSON',
    `${head(100)}{"email":`,
    'The request body is too slow: at least 1000 bytes per second are required. Send the request again.',
  ],
  [
    'a form with files',
    'POST /api/v1/users/register HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n' +
      'Content-Length: 100\r\n\r\n--b\r\nContent-Disposition: form-data; name="email"\r\n\r\na',
    'The request body is too slow: at least 1000 bytes per second are required. Send the request again.',
  ],
])(
  'returns 408 when a client stops in the middle of %s',
  { timeout: 60_000 },
  async (_, beginning, message) => {
    const socket = await open()
    socket.write(beginning)
    const [response = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    expect(response).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/)
    expect(JSON.parse(body)).toMatchObject({
      success: false,
      code: 'timeout',
      message,
    })
  },
)

test('does not report an aborted request as a lost database', async () => {
  const asked = once(site.app.server, 'request') as Promise<[IncomingMessage, ServerResponse]>
  const socket = await open()
  socket.write(`${head(100)}{"email":`)
  const [, response] = await asked
  socket.resetAndDestroy()
  // the log level depends on the status
  await expect.poll(() => response.statusCode).toBe(400)
})

test('accepts the next request on the same connection', async () => {
  const body = '{"email":"a","password":"b"}'
  const socket = await open()
  for (let request = 0; request < 2; request += 1) {
    socket.write(head(body.length) + body)
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    expect(String(chunk)).toMatch(/^HTTP\/1.1 401 /)
  }
  socket.destroy()
})

describe('a body of named fields', () => {
  const kinds = {
    JSON: (fields: Record<string, string>) => fields,
    'form-encoded': (fields: Record<string, string>) => new URLSearchParams(fields),
    multipart: (fields: Record<string, string>) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      return form
    },
  }

  test.each(Object.entries(kinds))('may be %s', async (_, encode) => {
    const { client, user } = await signUp(site)
    const videoId = await addVideo(site, user._id)
    const calls: [method: string, path: string, fields: Record<string, string>, status: number][] = [
      ['POST', '/comment/add', { videoId, content: 'Grüße 🎬' }, 201],
      ['PATCH', '/users/updatedetails', { fullname: 'Zoë Ångström' }, 200],
      ['PUT', `/users/position/${videoId}`, { positionSeconds: '12.5' }, 200],
      ['POST', '/users/changepass', { oldPassword: testPassword, newPassword: 'another heron' }, 200],
      ['POST', '/users/login', { email: user.email, password: 'another heron' }, 200],
      ['POST', '/users/login', { username: user.username, password: 'another heron' }, 200],
    ]
    for (const [method, path, fields, status] of calls) {
      const response = await client.send(method, `/api/v1${path}`, encode(fields))
      expect([path, response.status, response.text]).toEqual([path, status, expect.any(String)])
    }
    const { fullname } = await client.call(getCurrentUser, {})
    const { items } = await client.call(listComments, { params: { videoId } })
    expect([fullname, items.map(({ content }) => content)]).toEqual(['Zoë Ångström', ['Grüße 🎬']])
  })

  test('ignores a file', async () => {
    const { user } = await signUp(site)
    const form = new FormData()
    form.set('avatar', new Blob(['x'.repeat(20_000)]), 'a.png')
    form.set('email', user.email)
    form.set('password', testPassword)
    expect((await site.client().post('/api/v1/users/login', form)).status).toBe(200)
  })

  test('is limited in every encoding, with and without Content-Length', async () => {
    const form = '--b\r\ncontent-disposition: form-data; name="a"; filename="f"\r\n\r\n'
    const response = await site.client().fetch('/api/v1/users/login', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: new Blob([form, 'x'.repeat(2_000_000)]).stream(),
      duplex: 'half',
    })
    expect([response.status, await response.json()]).toMatchObject([413, { code: 'too_large' }])
  })
})

test('a call without body ignores one of any type', async () => {
  const { client, user } = await signUp(site)
  const videoId = await addVideo(site, user._id)
  const types = ['text/plain', 'application/json', 'multipart/form-data; boundary=x', 'video/mp4', 'nonsense']
  for (const [index, type] of types.entries()) {
    for (const body of ['', '{"broken'])
      for (const [method, path] of [
        ['POST', `/likes/video/toggle/${videoId}`],
        ['POST', `/sub/channel/${user.username}`],
        ['PATCH', `/users/updatehistory/${videoId}`],
        ['PATCH', `/video/${videoId}`],
      ] as const) {
        const { status } = await client.fetch(`/api/v1${path}`, {
          method,
          body,
          headers: { 'content-type': type },
        })
        expect([type, body, path, status]).toEqual([type, body, path, 200])
      }
    const { data } = (await client.get(`/api/v1/video/${videoId}`)).body as { data: [Video] }
    expect(data[0]).toMatchObject({ totalLikes: 0, totalSubs: 0, views: 2 * (index + 1) })
  }
  const response = await client.fetch('/api/v1/users/logout', {
    method: 'POST',
    body: 'x',
    headers: { 'content-type': 'text/plain' },
  })
  expect(response.status).toBe(200)
})

test('returns 415 for a compressed body', async () => {
  const response = await site.client().fetch('/api/v1/users/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: gzipSync('{"email":"a","password":"b"}'),
  })
  expect(response.status).toBe(415)
})

test.each([
  ['form-encoded', 'login', 'username', new URLSearchParams('username=a&password=b&username=c')],
  ['in parts', 'register', 'username', twice('username', 'a', 'c')],
  ['as a text and a file', 'register', 'avatar', twice('avatar', 'a', new Blob(['c']))],
])('returns 400 for a repeated field: %s', async (_, call, field, body) => {
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

test('returns 400 for a form of more than 100 fields, before parsing it', async () => {
  const send = (fields: number) =>
    site
      .client()
      .post(
        '/api/v1/users/login',
        new URLSearchParams(Array.from({ length: fields }, (_, index) => `field${index}=`).join('&')),
      )
  expect((await send(50)).body).toMatchObject({ message: 'Email is required' })
  const response = await site.client().fetch('/api/v1/users/login', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'a&'.repeat(15_000),
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ message: 'The form has more than 100 fields' })
})

// inputs that take quadratic time with naive parsing
test('parses long texts and headers in linear time', { timeout: 30_000 }, async () => {
  const long = '@'.repeat(30_000)
  const body = { email: `${long} x`, fullname: 'a', username: 'a', password: '12345678' }
  expect((await site.client().post('/api/v1/users/register', body)).status).toBe(400)
  const headers = { 'accept-encoding': `gzip${' '.repeat(60_000)}x` }
  expect((await site.client().fetch('/', { headers })).status).toBe(200)
})
