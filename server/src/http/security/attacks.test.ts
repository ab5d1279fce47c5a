import { type ChildProcess, spawn } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import { login } from '@kinora/contract/accounts/sign-in.ts'
import { type User } from '@kinora/contract/accounts/users.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../testing/fixtures/test-client.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { uploadForm } from '../../testing/fixtures/test-uploads.ts'
import { drawPicture, registrationForm, signUp, testPassword } from '../../testing/fixtures/test-users.ts'

/** Attacks from outside: request smuggling, path traversal, polyglot files, decompression bombs, script injection. */

let site: TestApp
let ines: TestClient
let user: User

const script = `</title></script><script>alert(1)</script>"'><img src=x onerror=alert(1)>{{7*7}}<!--`

beforeAll(async () => {
  site = await createTestApp({ settings: { PREPARE_POLICY: 'none' } })
  ;({ client: ines, user } = await signUp(site, { fullname: script.slice(0, 100) }))
})
afterAll(() => site.close())

/** Sends raw bytes. Returns the response up to the end of the connection, or up to a pause. */
function sendRaw(bytes: string | Buffer, silenceMs = 400): Promise<string> {
  const { port } = new URL(site.origin)
  return new Promise((resolve) => {
    let text = ''
    const socket: Socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes))
    socket.setTimeout(60_000, () => socket.destroy())
    socket.on('data', (chunk) => {
      text += String(chunk)
      socket.setTimeout(silenceMs)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(text))
  })
}

const statusesOf = (response: string) =>
  [...response.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status))

describe('request smuggling', () => {
  const hidden = 'GET /healthz HTTP/1.1\r\nHost: x\r\nX: '
  const head = 'POST /api/v1/users/logout HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  test.each([
    [
      'length and chunks',
      `${head}Content-Length: ${hidden.length + 5}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    ],
    [
      'chunks and length',
      `${head}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n5c\r\n${hidden}\r\n0\r\n\r\n`,
    ],
    ['two lengths', `${head}Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`],
    ['a list of lengths', `${head}Content-Length: 0, ${hidden.length}\r\n\r\n${hidden}`],
    ['a length with a sign', `${head}Content-Length: +0\r\n\r\n${hidden}`],
    ['an unknown encoding', `${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`],
    ['chunked but not last', `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${hidden}`],
    ['a folded header', `${head}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n${hidden}`],
    ['space before the colon', `${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${hidden}`],
    ['a broken size of a chunk', `${head}Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n${hidden}`],
    ['bare line feeds', `${head.replaceAll('\r\n', '\n')}Content-Length: 0\n\n${hidden}`],
    ['a zero byte in a header', `${head}X: a\0b\r\nContent-Length: 0\r\n\r\n${hidden}`],
  ])('is refused: %s', async (_, bytes) => {
    expect(statusesOf(await sendRaw(bytes))).toEqual([400])
  })
})

describe('a slow sender', () => {
  test('of headers is closed after a minute and does not delay others', async () => {
    const { port } = new URL(site.origin)
    const sockets = Array.from({ length: 300 }, () => connect(Number(port), '127.0.0.1'))
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
    for (const socket of sockets)
      socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    expect((await site.client().get('/api/v1/video/all')).status).toBe(200)
    expect(site.app.server.headersTimeout).toBeGreaterThan(0)
    expect(site.app.server.headersTimeout).toBeLessThanOrEqual(60_000)
  })
})

describe('an address', () => {
  const climbs = [
    '../',
    '..%2f',
    '%2e%2e/',
    '%2e%2e%2f',
    '..\\',
    '..%5c',
    '....//',
    '%252e%252e%252f',
    '..%c0%af',
    '/',
  ]
  const roots = [
    '',
    'assets/',
    'media/',
    'media/pictures/',
    'media/pictures/x/',
    'media/videos/',
    'media/videos/x/',
    'media/videos/x/1/',
    'media/videos/x/1/source/',
    'api/v1/uploads/',
    'embed/',
  ]
  test.each(roots)(
    'that climbs out of /%s finds no file',
    async (root) => {
      const goals = ['etc/passwd', 'package.json', 'server/src/bin/web.ts', 'kinora.pid', 'postgres/password']
      for (const climb of climbs) {
        for (const goal of goals) {
          const response = await sendRaw(
            `GET /${root}${climb.repeat(9)}${goal} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
          )
          expect(statusesOf(response), response.slice(0, 200)).toEqual([
            expect.toBeOneOf([400, 401, 404, 503]),
          ])
          expect(response).not.toMatch(/root:x:0|"private"|createContext/)
        }
      }
    },
    300_000,
  )

  test.each([
    '//evil.example',
    '/\\evil.example',
    '//evil.example/%2f..',
    '/%0d%0aLocation:%20https://evil.example',
    'http://evil.example/',
    '/login?next=https://evil.example',
    '/video/x?redirect=//evil.example',
  ])('%s does not redirect', async (address) => {
    const response = await sendRaw(
      `GET ${address} HTTP/1.1\r\nHost: kinora.example\r\nConnection: close\r\n\r\n`,
    )
    expect(response).toMatch(/^HTTP\/1\.1 (200|400|404|503) /)
    expect(response).not.toMatch(/^location:/im)
  })
})

describe('a foreign Host header', () => {
  const responseFor = (headers: string) =>
    sendRaw(`GET /about HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`)

  test.each(['evil"><script>', 'a b', 'evil.example/path', "x'onload=", 'user@evil.example', 'x:1:2'])(
    'is not written into pages: %s',
    async (host) => {
      const response = await responseFor(`Host: ${host}`)
      expect(response).not.toContain(host)
    },
  )

  test('is ignored from an untrusted proxy', async () => {
    const response = await responseFor(
      'Host: kinora.example\r\nX-Forwarded-Host: evil.example\r\nForwarded: host=evil.example\r\nX-Original-URL: /admin\r\nX-Forwarded-Proto: https',
    )
    expect(response).not.toContain('evil.example')
    expect(response).not.toMatch(/^(strict-transport-security|location):/im)
  })
})

describe('a shared cache', () => {
  /** Responses that contain URLs or are cached. */
  const addresses = ['/', '/about', '/sitemap.xml', '/robots.txt', '/opensearch.xml', '/api/v1/video/all']
  const lies =
    'X-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: evil\r\nX-Forwarded-Port: 666\r\nForwarded: host=evil.example'

  test.each(addresses)('cannot be poisoned through %s', async (address) => {
    const ask = (host: string, more = '') =>
      sendRaw(`GET ${address} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`)
    await ask('evil.example')
    await ask('kinora.example', `${lies}\r\n`)
    const response = await ask('kinora.example')
    expect(response).toMatch(/^HTTP\/1\.1 (200|503) /)
    expect(response).not.toMatch(/evil|:666/)
  })

  test('gets PUBLIC_URL behind a trusted proxy', async () => {
    const proxied = await createTestApp({
      settings: { TRUST_PROXY: 'true', PUBLIC_URL: 'https://kinora.example' },
    })
    onTestFinished(() => proxied.close())
    const headers = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      'x-forwarded-prefix': '/evil',
      'x-original-url': '/evil',
      'x-rewrite-url': '/evil',
    }
    for (const address of addresses) {
      const response = await proxied.client().fetch(address, { headers })
      expect(JSON.stringify([...response.headers]) + (await response.text()), address).not.toContain('evil')
    }
    const sitemap = await proxied.client().get('/sitemap.xml')
    expect(sitemap.text).toContain('<loc>https://kinora.example/')
  })
})

describe('headers', () => {
  const ask = (headers: string) =>
    sendRaw(`GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`)

  test.each([
    ['one of 80 kB', `X: ${'x'.repeat(80_000)}\r\n`],
    ['one with a name of 80 kB', `${'x'.repeat(80_000)}: x\r\n`],
    ['a cookie of 80 kB', `Cookie: session=${'x'.repeat(80_000)}\r\n`],
    ['ten thousand', Array.from({ length: 10_000 }, (_, at) => `X-${at}: x\r\n`).join('')],
  ])('above 64 kB are refused: %s', async (_, headers) => {
    expect(statusesOf(await ask(headers))).toEqual([431])
  })

  test.each([
    ['five hundred', Array.from({ length: 500 }, (_, at) => `X-${at}: x\r\n`).join('')],
    ['cookies of 40 kB', `Cookie: ${'a=b; '.repeat(8000)}\r\n`],
    ['ranges by the thousand', `Range: bytes=${'0-1,'.repeat(8000)}0-1\r\n`],
    ['languages by the thousand', `Accept-Language: ${'en;q=0.1,'.repeat(4000)}\r\n`],
    ['encodings by the thousand', `Accept-Encoding: ${'gzip;q=0.1,'.repeat(4000)}\r\n`],
    ['tags by the thousand', `If-None-Match: ${'"x",'.repeat(8000)}"x"\r\n`],
  ])('within 64 kB delay no other request: %s', async (_, headers) => {
    expect(statusesOf(await ask(headers))).toEqual([200])
    const { status } = await site.client().get('/healthz')
    expect(status).toBe(200)
  })
})

describe('a decompression bomb', () => {
  /** A PNG with a large declared size and compressed zeros. */
  function hugePng(side: number): Buffer {
    const crcTable = Array.from({ length: 256 }, (_, n) => {
      let c = n
      for (let k = 0; k < 8; k += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
      return c >>> 0
    })
    const chunk = (type: string, data: Buffer) => {
      const body = Buffer.concat([Buffer.from(type), data])
      let crc = 0xffffffff
      for (const byte of body) crc = (crcTable[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8)
      const [length, end] = [Buffer.alloc(4), Buffer.alloc(4)]
      length.writeUInt32BE(data.length)
      end.writeUInt32BE((crc ^ 0xffffffff) >>> 0)
      return Buffer.concat([length, body, end])
    }
    const header = Buffer.alloc(13)
    header.writeUInt32BE(side, 0)
    header.writeUInt32BE(side, 4)
    header.set([1, 0, 0, 0, 0], 8)
    const rows = deflateSync(Buffer.alloc(Math.ceil(side / 8 + 1) * 2000))
    const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    return Buffer.concat([
      signature,
      chunk('IHDR', header),
      chunk('IDAT', rows),
      chunk('IEND', Buffer.alloc(0)),
    ])
  }

  test('of pixels is rejected by its declared size', async () => {
    const form = await registrationForm({ avatar: new Blob([new Uint8Array(hugePng(60_000))]) })
    const before = process.memoryUsage().rss
    const { status, body } = await site.client().post('/api/v1/users/register', form)
    expect([status, body.message]).toEqual([400, 'The picture has too many pixels: at most 40 million'])
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20)
  })

  test('of compressed JSON is not decompressed', async () => {
    const body = gzipSync(Buffer.alloc(50_000_000, ' '))
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const response = await site
      .client()
      .fetch('/api/v1/users/login', { method: 'POST', body: new Uint8Array(body), headers })
    expect(response.status).toBe(415)
  })
})

describe('a polyglot file', () => {
  test('as a picture is re-encoded', async () => {
    const jpeg = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer()
    const comment = Buffer.from(`<html><script>alert(1)</script>`)
    const segment = Buffer.from([0xff, 0xfe, 0, comment.length + 2])
    const both = Buffer.concat([jpeg.subarray(0, 2), segment, comment, jpeg.subarray(2), comment])
    const form = new FormData()
    form.set('avatar', new Blob([new Uint8Array(both)], { type: 'text/html' }), 'avatar.html')
    const { status, body } = await ines.send('PATCH', '/api/v1/users/updateavatar', form)
    expect(status).toBe(200)
    const { avatar } = body.data as { avatar: string }
    const response = await site.client().fetch(avatar)
    expect(response.headers.get('content-type')).toMatch(/^image\//)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(Buffer.from(await response.arrayBuffer()).includes('<script')).toBe(false)
  })

  test('as a video is served as a video, without scripts', async () => {
    const video = await drawClip('mp4')
    const page = Buffer.from('<html><script>alert(1)</script></html>')
    const box = Buffer.alloc(8)
    box.writeUInt32BE(8 + page.length)
    box.write('free', 4)
    const form = new FormData()
    form.set('title', 'Two things')
    form.set('description', 'x')
    form.set('thumbnail', await drawPicture(64, 36), 'x.png')
    form.set(
      'video',
      new Blob([new Uint8Array(Buffer.concat([video, box, page]))], { type: 'text/html' }),
      'video.html',
    )
    const { status, body } = await ines.post('/api/v1/video/upload', form)
    expect(status).toBe(201)
    const response = await site.client().fetch((body.data as { videoFile: string }).videoFile)
    expect(response.headers.get('content-type')).toBe('video/mp4')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    await response.arrayBuffer()
  })

  test.each([
    ['svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['html', '<html><script>alert(1)</script></html>'],
    ['a playlist', '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'],
    ['an ImageMagick script', "push graphic-context\nimage over 0,0 0,0 'https://evil.example/x'\n"],
    [
      'an XML entity that reads a file',
      '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><svg>&e;</svg>',
    ],
  ])('as a picture is refused: %s', async (_, text) => {
    const form = await registrationForm({ avatar: new Blob([text], { type: 'image/png' }) })
    expect((await site.client().post('/api/v1/users/register', form)).status).toBe(400)
  })
})

test('escapes code in texts in every response', async () => {
  const form = await uploadForm({ title: script, description: script }, await drawClip('mp4'))
  const { body } = await ines.post('/api/v1/video/upload', form)
  const { _id: id } = body.data as { _id: string }
  const comment = await ines.post('/api/v1/comment/add', { videoId: id, content: script })
  expect(comment.status).toBe(201)
  const details = { fullname: script.slice(0, 100), email: user.email, username: user.username }
  expect((await ines.patch('/api/v1/users/updatedetails', details)).status).toBe(200)
  const oembed = `/oembed?format=json&url=${encodeURIComponent(`${site.origin}/video/${id}`)}`
  const pages = [
    '/',
    `/video/${id}`,
    `/embed/${id}`,
    `/c/${user.username}`,
    `/search/${encodeURIComponent(script)}`,
    '/sitemap.xml',
    `/media/videos/${id}/master.m3u8`,
  ]
  for (const address of pages) {
    const { text, headers } = await site.client().get(address)
    expect(text, address).not.toContain('<script>alert')
    expect(text, address).not.toContain('<img src=x')
    expect(headers.get('content-security-policy'), address).not.toMatch(/script-src[^;]*unsafe/)
  }
  // JSON responses have a JSON content type
  const data = [
    `/api/v1/video/${id}`,
    `/api/v1/comment/get/${id}`,
    `/api/v1/video/search/${encodeURIComponent(script)}`,
    `/api/v1/users/c/${encodeURIComponent(script)}`,
  ]
  for (const address of data) {
    const { headers } = await ines.get(address)
    expect(headers.get('content-type'), address).toBe('application/json; charset=utf-8')
    expect(headers.get('x-content-type-options'), address).toBe('nosniff')
  }
  const response = await site.client().get(oembed)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(JSON.parse(response.text).html).not.toContain('<script>alert')
})

describe('a session', () => {
  test('that an attacker chose is not accepted (session fixation)', async () => {
    const chosen = 'A'.repeat(43)
    const victim = site.client()
    victim.cookies.set('session', chosen)
    await victim.call(login, { body: { username: user.username, password: testPassword } })
    expect(victim.cookies.get('session')).toMatch(/^[\w-]{43}$/)
    expect(victim.cookies.get('session')).not.toBe(chosen)
    const attacker = site.client()
    attacker.cookies.set('session', chosen)
    expect((await attacker.get('/api/v1/users/currentuser')).status).toBe(401)
  })

  test('is an HttpOnly, SameSite cookie', async () => {
    const body = JSON.stringify({ username: user.username, password: testPassword })
    const headers = { 'content-type': 'application/json' }
    const response = await site.client().fetch('/api/v1/users/login', { method: 'POST', body, headers })
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^session=[\w-]{43}; .*HttpOnly; SameSite=Lax$/),
    ])
    expect(await response.text()).not.toContain(response.headers.getSetCookie()[0]?.slice(8, 51))
  })

  test('ends on logout and when the password changes', async () => {
    const { client, user: somebody } = await signUp(site)
    const thief = site.client()
    await thief.call(login, { body: { username: somebody.username, password: testPassword } })
    const kept = new Map(thief.cookies)
    const change = { oldPassword: testPassword, newPassword: 'another good password' }
    expect((await client.post('/api/v1/users/changepass', change)).status).toBe(200)
    for (const [name, value] of kept) thief.cookies.set(name, value)
    expect((await thief.get('/api/v1/users/currentuser')).status).toBe(401)
  })
})

test('logs logins, failed logins and rejections, but no password, cookie or database URL', async () => {
  const server: ChildProcess = spawn(process.execPath, [path.join(import.meta.dirname, '../../bin/web.ts')], {
    env: {
      ...process.env,
      DATABASE_URL: site.databaseUrl,
      DATA_DIR: site.context.config.dataDir,
      LOG_LEVEL: 'debug',
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void server.kill('SIGKILL'))
  let output = ''
  const origin = await new Promise<string>((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += String(chunk)
        const address = /listening at (http:[^"]+)"/.exec(output)?.[1]
        if (address) resolve(address)
      })
    }
    server.once('exit', () => reject(new Error(output)))
  })
  const secret = 'Tr0ub4dor-and-3'
  const cookie = `session=${'S3cretToken'.padEnd(43, 'x')}`
  const headers = { 'content-type': 'application/json', cookie, authorization: `Bearer ${secret}` }
  const send = (address: string, body: string, more = {}) =>
    fetch(origin + address, { method: 'POST', body, headers: { ...headers, ...more } })
  await send('/api/v1/users/login', JSON.stringify({ username: user.username, password: secret }))
  await send('/api/v1/users/login', `{"password":"${secret}"`)
  await send('/api/v1/users/changepass', JSON.stringify({ oldPassword: secret, newPassword: secret }))
  await send('/api/v1/users/login', `password=${secret}`, { 'content-type': 'text/plain' })
  const body = new URLSearchParams({ username: user.username, password: testPassword })
  const response = await fetch(`${origin}/api/v1/users/login`, { method: 'POST', body })
  const token = /session=([\w-]+)/.exec(response.headers.getSetCookie()[0] ?? '')?.[1] ?? 'none was set'
  const foreign = { origin: 'https://evil.example', cookie: `session=${token}` }
  await fetch(`${origin}/api/v1/users/logout`, { method: 'POST', headers: foreign })
  await fetch(`${origin}/api/v1/users/changepass`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: `session=${token}` },
    body: JSON.stringify({ oldPassword: secret, newPassword: `${secret}!` }),
  })
  // a request that fails internally: its error is logged with all properties
  await fetch(`${origin}/api/v1/users/currentuser?${'x'.repeat(500)}`, {
    headers: { cookie: `session=${token}` },
  })
  for (let attempt = 0; attempt < 12; attempt += 1)
    await send('/api/v1/users/login', JSON.stringify({ username: 'nobody', password: secret }))
  // The log is complete once the process has ended.
  const ended = new Promise((resolve) => server.once('close', resolve))
  server.kill('SIGTERM')
  await ended
  const events = output.split('\n').flatMap((line) => {
    const { msg, userId, address: from }: LogLine = line.startsWith('{') ? JSON.parse(line) : {}
    return /^signed in$|failed$|forbidden$/.test(msg ?? '') ? [{ msg, userId, from }] : []
  })
  // of a client that goes on above a limit, one line a minute
  expect(output.match(/request rejected: too many requests/g)).toHaveLength(1)
  expect(events.slice(0, 4)).toEqual([
    { msg: 'sign-in failed', userId: user._id, from: '127.0.0.1' },
    { msg: 'signed in', userId: user._id, from: '127.0.0.1' },
    // no userId: cross-site requests are rejected before the session is read
    { msg: 'request rejected: forbidden', userId: null, from: '127.0.0.1' },
    { msg: 'password check failed', userId: user._id },
  ])
  for (const word of [secret, testPassword, 'S3cretToken', token, new URL(site.databaseUrl).password]) {
    expect(output.includes(word), `the log contains ${word}`).toBe(false)
  }
})

interface LogLine {
  msg?: string
  userId?: string | null
  address?: string
}
