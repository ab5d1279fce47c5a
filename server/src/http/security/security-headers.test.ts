import { once } from 'node:events'
import { connect } from 'node:net'
import { errorStatus } from '@kinora/contract/failure.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../testing/fixtures/test-client.ts'
import { signUp } from '../../testing/fixtures/test-users.ts'
import { addVideo } from '../../testing/fixtures/test-videos.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({ settings: { PUBLIC_URL: 'https://kinora.example' } })
})
afterAll(() => site.close())

describe('a writing request', () => {
  const logout = (headers: Record<string, string>) =>
    site.client().fetch('/api/v1/users/logout', { method: 'POST', headers })

  test('is accepted from the site itself and from programs', async () => {
    const own: Record<string, string>[] = [
      {},
      { origin: site.origin },
      { origin: 'https://kinora.example' },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'same-origin', origin: site.origin },
      { 'sec-fetch-site': 'none' },
    ]
    for (const headers of own) expect((await logout(headers)).status).toBe(200)
  })

  test('is rejected from another site', async () => {
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: '' },
      { origin: `${site.origin}.evil.example` },
      { origin: 'http://127.0.0.1:1' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'cross-site', origin: site.origin },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'same-site', origin: 'https://blog.kinora.example' },
    ]
    for (const headers of foreign) {
      const response = await logout(headers)
      expect([headers, response.status]).toEqual([headers, 403])
      expect(await response.json()).toMatchObject({ success: false, code: 'forbidden', data: null })
    }
  })

  test('is rejected from another site with any content type', async () => {
    const { client, user } = await signUp(site)
    const bodies = {
      'multipart/form-data; boundary=b':
        '--b\r\ncontent-disposition: form-data; name="fullname"\r\n\r\nMallory\r\n--b--\r\n',
      'application/x-www-form-urlencoded': 'fullname=Mallory',
      'application/json': '{"fullname":"Mallory"}',
      'text/plain': '{"fullname":"Mallory"}',
    }
    const senders: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'https://blog.kinora.example' },
    ]
    for (const [type, body] of Object.entries(bodies)) {
      for (const sender of senders) {
        const headers = { ...sender, 'content-type': type }
        const init = { method: 'PATCH', headers, body }
        const { status } = await client.fetch('/api/v1/users/updatedetails', init)
        expect([type, sender, status]).toEqual([type, sender, 403])
      }
    }
    const { body } = await client.get('/api/v1/users/currentuser')
    expect(body.data).toMatchObject({ fullname: user.fullname })
  })

  test('does not affect the session of a victim', async () => {
    const { client } = await signUp(site)
    const init = { method: 'POST', headers: { origin: 'https://evil.example' } }
    expect((await client.fetch('/api/v1/users/logout', init)).status).toBe(403)
    expect((await client.get('/api/v1/users/currentuser')).status).toBe(200)
  })
})

test('links from other sites work', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  const response = await site.client().fetch('/api/v1/users/currentuser', { headers })
  expect(response.status).toBe(401)
  expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
})

describe('headers', () => {
  const headersOf = async (path: string) => (await site.client().fetch(path)).headers

  test.each([
    '/',
    '/video/x',
    '/api/v1/users/currentuser',
    '/api/nothing',
    '/media/pictures/x/80.webp',
    '/%zz',
    '/%61pi/nothing',
  ])('protect %s', async (path) => {
    const headers = await headersOf(path)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    // PUBLIC_URL has https
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
  })

  test.each(['/', '/nothing/at/all', '/api/v1/video/all', '/api/nothing', '/healthz', '/%zz'])(
    'of %s reveal no software',
    async (path) => {
      const response = await site.client().fetch(path)
      const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
      expect(headers).not.toMatch(/^(server|via|x-powered-by|x-aspnet|x-runtime)/im)
      expect(headers + (await response.text())).not.toMatch(/fastify|node\.?js|postgres|v?24\.\d+\.\d+/i)
    },
  )

  test("allow only the site's own scripts", async () => {
    const policy = (await headersOf('/')).get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self'; style-src 'self';")
    expect(policy).toContain("object-src 'none'")
    expect(policy).toContain("base-uri 'none'")
  })

  test('allow only pages to record from devices and screens, and no frame of another site', async () => {
    const policyOf = async (path: string) => (await headersOf(path)).get('permissions-policy')
    const none = 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=()'
    expect(await policyOf('/record')).toBe(
      'camera=(self), display-capture=(self), geolocation=(), microphone=(self), payment=()',
    )
    for (const path of ['/embed/x', '/api/v1/video/all', '/media/pictures/x/80.webp'])
      expect([path, await policyOf(path)]).toEqual([path, none])
  })

  test('allow other sites to frame only the embedded player', async () => {
    const embed = await headersOf('/embed/x')
    expect(embed.get('content-security-policy')).toContain('frame-ancestors *')
    expect(embed.get('x-frame-options')).toBeNull()
    expect((await headersOf('/embedded')).get('x-frame-options')).toBe('DENY')
  })

  test('keep API responses out of shared caches, and what is for one person out of browsers', async () => {
    const [owner, other] = [await signUp(site), await signUp(site)]
    const open = await addVideo(site, owner.user._id)
    const own = await addVideo(site, owner.user._id, { visibility: 'private' })
    const caching = async (client: TestClient, path: string) =>
      (await client.get(`/api/v1${path}`)).headers.get('cache-control')
    for (const path of ['/users/currentuser', '/users/history', `/video/${own}`, '/studio/analytics.csv'])
      expect([path, await caching(owner.client, path)]).toEqual([path, 'private, no-store'])
    // the same for others, so browsers revalidate it
    for (const [client, path] of [
      [other.client, '/video/all'],
      [site.client(), '/video/all'],
      [site.client(), `/video/${open}`],
    ] as const)
      expect([path, await caching(client, path)]).toEqual([path, 'private, no-cache'])
    expect(await caching(site.client(), '/users/currentuser')).toBe('no-store')
  })
})

describe('a known address', () => {
  test('returns 405 with Allow for other methods', async () => {
    const { status, body, headers } = await site.client().delete('/api/v1/users/login')
    expect([status, body.code, headers.get('allow')]).toEqual([405, 'method_not_allowed', 'POST, OPTIONS'])
  })

  test('returns no body for HEAD and OPTIONS', async () => {
    const { client } = await signUp(site)
    const head = await client.send('HEAD', '/api/v1/users/currentuser')
    expect([head.status, head.text]).toEqual([200, ''])
    const options = await client.send('OPTIONS', '/api/v1/users/currentuser')
    expect([options.status, options.text]).toEqual([204, ''])
    expect(options.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expect(options.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('an address outside the API', () => {
  test.each(['/', '/healthz', '/video/x', '/media/videos/x/master.m3u8'])(
    'returns 405 with Allow for writing methods: %s',
    async (path) => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const { status, body, headers } = await site.client().send(method, path)
        expect([status, body.code, headers.get('allow')]).toEqual([
          405,
          'method_not_allowed',
          'GET, HEAD, OPTIONS',
        ])
      }
      const options = await site.client().send('OPTIONS', path)
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
    },
  )

  test('allows range requests from other sites for media only', async () => {
    const preflight = async (path: string) => {
      const { status, headers } = await site.client().fetch(path, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://other.example',
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'range',
        },
      })
      return [
        status,
        ...['origin', 'methods', 'headers'].map((of) => headers.get(`access-control-allow-${of}`)),
      ]
    }
    expect(await preflight('/media/sources/x/attempt1.mp4')).toEqual([
      204,
      '*',
      'GET, HEAD, OPTIONS',
      expect.stringContaining('Range'),
    ])
    expect(await preflight('/video/x')).toEqual([204, null, null, null])
  })
})

test('returns 431 for a too long URL', async () => {
  const { status, body } = await site.client().get(`/api/v1/video/search/${'x'.repeat(60_000)}`)
  expect([status, body.message]).toEqual([431, 'The URL or the headers are too long'])
})

describe('a body', () => {
  const login = (body: string, type?: string) =>
    site.client().fetch('/api/v1/users/login', {
      method: 'POST',
      body,
      ...(type === undefined ? {} : { headers: { 'content-type': type } }),
    })

  test.each([
    ['{"email":', 'application/json', 400],
    ['{"email":"a","password":"\\ud800"}', 'application/json', 400],
    ['{"email":"\\ud800","password":"x"}', 'application/json', 400],
    ['{"email":"a\\u0000","password":"x"}', 'application/json', 400],
    ['{"__proto__":{"email":"a"},"password":"x"}', 'application/json', 400],
    ['null', 'application/json', 400],
    ['[]', 'application/json', 400],
    ['"text"', 'application/json', 400],
    ['', 'application/json', 400],
    ['['.repeat(30_000), 'application/json', 400],
    [`${'['.repeat(15_000)}${']'.repeat(15_000)}`, 'application/json', 400],
    [`{"email":"${'x'.repeat(2_000_000)}"}`, 'application/json', 413],
    [`email=${'x'.repeat(2_000_000)}`, 'application/x-www-form-urlencoded', 413],
    ['email=%zz%00&password=%ff', 'application/x-www-form-urlencoded', 400],
    ['email=a&password=x', 'text/plain', 415],
    ['<a/>', 'application/xml', 415],
    ['x', 'nonsense', 415],
    ['x', 'multipart/form-data', 400],
    ['x', 'multipart/form-data; boundary=x', 400],
    ['--x--', 'multipart/form-data; boundary=x', 400],
    ['x'.repeat(2_000_000), 'multipart/form-data; boundary=x', 413],
    ['', 'multipart/form-data; boundary=x', 400],
    ['{}', 'application/json; charset=nonsense', 400],
  ])('%.20s as %s gets %i', async (body, type, status) => {
    const response = await login(body, type)
    expect(response.status).toBe(status)
    const envelope = await response.json()
    expect(envelope).toMatchObject({ success: false, statusCode: status, data: null })
    expect(JSON.stringify(envelope)).not.toMatch(/stack|node_modules|\.ts/)
  })
})

test.each(['/api/v1/users/c/%zz', '/api/v1/users/c/%', '/api/v1/video/%c3%28', '/api/%00', '/api//v1'])(
  'returns 404 as JSON for the malformed URL %s',
  async (path) => {
    const { client } = await signUp(site)
    const { status, body } = await client.get(path)
    expect(status).toBe(404)
    expect(body).toMatchObject({ success: false, code: 'not_found', data: null })
  },
)

test.each([
  ['GET /api/v1/video/all HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['GET /api/v1/video/all HTTP/1.1\r\nHost: a\r\nHOST: b\r\nConnection: close\r\n\r\n', 400],
  ['GET /media/x HTTP/1.1\r\nHost: a\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
  ['GET /api/v1/video/all HTTP/1.1\r\nHost: a<b>"c\r\nConnection: close\r\n\r\n', 400],
  ['GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
  ['GET /api/nothing HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nConnection: close\r\n\r\n', 404],
  ['GET /api/v1/video/all HTTP/1.1\r\nBad Header\r\n\r\n', 400],
  [`GET /api/v1/${'x'.repeat(66_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ['nonsense\r\n\r\n', 400],
])('returns JSON for malformed HTTP: %.60j', async (bytes, status) => {
  const { port } = new URL(site.origin)
  const response = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('data', (chunk) => (text += String(chunk)))
    // the server closes the connection without reading everything
    socket.on('error', () => undefined).on('close', () => resolve(text))
  })
  expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  const failure = JSON.parse(response.slice(response.indexOf('{'))) as { code: keyof typeof errorStatus }
  expect(failure).toMatchObject({ success: false, statusCode: status })
  expect(errorStatus[failure.code]).toBe(status)
})

describe('a request with Expect: 100-continue', () => {
  const ask = (path: string, cookie: string) => {
    const { port } = new URL(site.origin)
    const head = ['Host: a', 'Content-Type: application/json', 'Content-Length: 2', 'Expect: 100-continue']
    const socket = connect(Number(port), '127.0.0.1')
    socket.write([`POST ${path} HTTP/1.1`, ...head, `Cookie: ${cookie}`, '\r\n'].join('\r\n'))
    return socket
  }
  const untilClosed = async (socket: ReturnType<typeof connect>) => {
    let text = ''
    for await (const chunk of socket) text += String(chunk)
    return text
  }

  test('is rejected before the body is sent', async () => {
    const response = await untilClosed(ask('/api/v1/comment/add', 'none'))
    // closed, because the client may send the body anyway
    expect(response).toMatch(/^HTTP\/1\.1 401 /)
    expect(response.toLowerCase()).toContain('connection: close')
  })

  test('gets 100 Continue if it is allowed', async () => {
    const { client } = await signUp(site)
    const socket = ask('/api/v1/comment/add', client.cookie)
    const [first] = await once(socket, 'data')
    expect(String(first)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    socket.write('{}')
    const [second] = await once(socket, 'data')
    expect(String(second)).toMatch(/^HTTP\/1\.1 400 /)
    socket.destroy()
  })
})
