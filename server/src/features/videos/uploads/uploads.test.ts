import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { uploadVideo } from '@kinora/contract/videos/uploads.ts'
import { type Video } from '@kinora/contract/videos/videos.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { countTakenSlots } from '../../../testing/fixtures/taken-slots.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { type Clip, drawClip } from '@kinora/media/testing/test-clips.ts'
import { drawPicture, signUp } from '../../../testing/fixtures/test-users.ts'
import { prepare } from '../playback/jobs.ts'
import { resetPassword } from '../../accounts/users/actions/change-password.ts'
import { suspendUser } from '../../accounts/users/actions/suspend-user.ts'
import { clearStale } from './actions/clear-stale.ts'

const address = '/api/v1/video/upload'
const megabyte = 1024 * 1024

let site: TestApp
let ines: TestClient
let before: string[]

beforeAll(async () => {
  site = await createTestApp({
    worker: true,
    settings: { UPLOAD_MAX_BYTES: String(60 * megabyte), PREPARE_POLICY: 'none' },
  })
  ines = await person('ines')
})
afterAll(() => site.close())
beforeEach(async () => {
  before = await everythingThatStays()
})

/** Files left once no upload is active: received files are deleted a moment after the response. */
async function everythingThatStays(client = ines): Promise<string[]> {
  await expect.poll(() => uploadsOf(client)).toBe(0)
  const incoming = join(site.context.config.dataDir, 'incoming')
  await expect.poll(() => readdir(incoming).catch(() => [])).toEqual([])
  // a directory that is deleted during the listing is listed again
  return vi.waitFor(everythingStored, 30_000)
}

/** Every file on the disk and every video in the database. */
async function everythingStored(): Promise<string[]> {
  const files = await readdir(site.context.config.dataDir, { recursive: true, withFileTypes: true })
  const rows = await site.db.selectFrom('videos').select('id').execute()
  return [
    ...files
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name))
      // ignores segments of earlier tests, and marks, which stay until the second deletion
      .filter((file) => !/\/(segments|\.drafts|hidden)\//.test(file)),
    ...rows.map((row) => row.id),
  ].sort()
}

async function nothingIsLeft(client = ines): Promise<void> {
  await expect.poll(() => uploadsOf(client)).toBe(0)
  await expect.poll(everythingStored).toEqual(before)
}

const ids = new Map<TestClient, string>()

async function person(username: string): Promise<TestClient> {
  const { client, user } = await signUp(site, { username })
  ids.set(client, user._id)
  return client
}

/** Number of uploads of a user in progress. */
const uploadsOf = (client: TestClient) => countTakenSlots(site.db, 'uploads', ids.get(client) ?? '')

const blobOf = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)])

async function formOf(fields: Record<string, string | Blob | undefined> = {}): Promise<FormData> {
  const form = new FormData()
  const all = {
    title: 'Salt flats at dawn',
    description: 'Twelve minutes of light',
    thumbnail: await drawPicture(640, 360, 'jpeg'),
    video: blobOf(await drawClip('mp4')),
    ...fields,
  }
  for (const [name, value] of Object.entries(all)) {
    if (value instanceof Blob) form.set(name, value, `${name}.bin`)
    else if (value !== undefined) form.set(name, value)
  }
  return form
}

async function storedSource(videoId: string): Promise<Buffer> {
  const { sourceKey } = await site.db
    .selectFrom('videos')
    .select('sourceKey')
    .where('id', '=', videoId)
    .executeTakeFirstOrThrow()
  return readFile(site.storage.pathOf(sourceKey) ?? '')
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('an upload', () => {
  test.each<Clip>(['mp4', 'mp4, index in front', 'webm', 'ogg'])('accepts %s', async (clip) => {
    const bytes = await drawClip(clip)
    const { status, body } = await ines.post(address, await formOf({ video: blobOf(bytes) }))
    expect([status, body.success]).toEqual([201, true])
    const video = body.data as Video
    expect(video).toMatchObject({
      title: 'Salt flats at dawn',
      description: 'Twelve minutes of light',
      width: 320,
      height: 180,
      views: 0,
      totalLikes: 0,
      videoOwner: { username: 'ines' },
    })
    expect(video.duration).toBeCloseTo(2, 0)
    expect(sha256(await storedSource(video._id))).toBe(sha256(bytes))
    expect((await ines.fetch(video.thumbnail)).headers.get('content-type')).toBe('image/webp')
    await expect.poll(() => readdir(join(site.context.config.dataDir, 'incoming'))).toEqual([])
  })

  test('accepts files of any name', async () => {
    const video = blobOf(await drawClip('mp4'))
    const names = [
      'line\u2028separator.mp4',
      'paragraph\u2029.mp4',
      '東京 🎬.mp4',
      'a\\',
      '"; name="title',
      'a\r\nb',
      '',
    ]
    for (const name of names) {
      const form = await formOf({ video: undefined })
      form.set('video', video, name)
      const { status, body } = await ines.post(address, form)
      expect([name, status, body.message]).toEqual([name, 201, 'Video uploaded'])
    }
  })

  test('is prepared in the background after a delay', async () => {
    const { body } = await ines.post(address, await formOf())
    const { rows } = await sql<{ isLater: boolean }>`
      select start_after > created_on as "isLater" from pgboss.job
      where name = ${prepare.name} and singleton_key = ${(body.data as Video)._id}`.execute(site.db)
    expect(rows).toEqual([{ isLater: true }])
  })

  test('accepts fields in any order, and ignores unknown ones', async () => {
    const all = await formOf({ category: 'x', extra: blobOf(Buffer.alloc(megabyte)) })
    const backwards = new FormData()
    for (const [name, value] of [...all].toReversed()) {
      if (typeof value === 'string') backwards.append(name, value)
      else backwards.append(name, value, 'a.bin')
    }
    const video = await ines.call(uploadVideo, { body: backwards })
    expect(video.title).toBe('Salt flats at dawn')
  })
})

describe('rejects', () => {
  test.each([
    ['title', undefined, 'Title is required'],
    ['title', '  ', 'Title is required'],
    ['title', 'x'.repeat(201), 'Title may have at most 200 characters'],
    ['title', 'a\0b', 'This text contains a character that cannot be stored'],
    ['description', undefined, 'Description is required'],
    ['description', 'x'.repeat(20_001), 'Description may have at most 20,000 characters'],
    ['thumbnail', undefined, 'Thumbnail is required'],
    ['thumbnail', 'text', 'Thumbnail is required'],
    ['video', undefined, 'Video is required'],
    ['video', blobOf(Buffer.alloc(0)), videoErrors.fileTypes.message],
    ['video', blobOf(Buffer.from('just a text renamed to .mp4')), videoErrors.fileTypes.message],
    ['thumbnail', blobOf(Buffer.alloc(0)), videoErrors.pictureTypes.message],
    [
      'thumbnail',
      blobOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
      videoErrors.pictureTypes.message,
    ],
  ])('a form with a wrong field, case %#', async (field, value, message) => {
    const { status, body } = await ines.post(address, await formOf({ [field]: value }))
    expect([status, body.message]).toEqual([400, message])
    expect(body.errors).toContainEqual(expect.objectContaining({ path: field, message }))
    await nothingIsLeft()
  })

  test.each<Clip>(['mov with audio', 'mkv', 'avi', 'audio in mp4', 'audio in webm', 'audio in ogg', 'mp3'])(
    'a file that is %s by its content',
    async (clip) => {
      const video = blobOf(await drawClip(clip))
      const { status, body } = await ines.post(address, await formOf({ video }))
      expect([status, body.message]).toEqual([400, videoErrors.fileTypes.message])
      await nothingIsLeft()
    },
  )

  test.each(['webp', 'gif', 'avif'] as const)('a thumbnail that is %s by its content', async (format) => {
    const thumbnail = await drawPicture(64, 64, format)
    const { status, body } = await ines.post(address, await formOf({ thumbnail }))
    expect([status, body.message]).toEqual([400, videoErrors.pictureTypes.message])
    await nothingIsLeft()
  })

  test.each([0.1, 0.5, 0.9])('an mp4 truncated to its first %s', async (part) => {
    const whole = await drawClip('mp4')
    const video = blobOf(whole.subarray(0, Math.floor(whole.length * part)))
    const { status, body } = await ines.post(address, await formOf({ video }))
    const position = video.size.toLocaleString('en')
    const message = videoErrors.videoDamagedAt.message.replace('{position}', position)
    expect([status, body.code, body.message]).toEqual([400, 'invalid', message])
    await nothingIsLeft()
  })

  test('any body when signed out', async () => {
    const { status, body } = await site.client().post(address, await formOf())
    expect([status, body.code]).toEqual([401, 'unauthenticated'])
    expect((await site.client().post(address, { title: 'x' })).status).toBe(401)
    await nothingIsLeft()
  })

  test('a body that is no form, or a form without files', async () => {
    const text = { method: 'POST', headers: { 'content-type': 'application/xml' }, body: '<x/>' }
    expect((await ines.fetch(address, text)).status).toBe(415)
    expect((await ines.post(address, { title: 'x', description: 'y' })).body.message).toBe(
      'Thumbnail is required',
    )
    expect((await ines.post(address)).body.message).toBe('Title is required')
  })

  test('a truncated form', async () => {
    const response = await ines.fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: '--b\r\ncontent-disposition: form-data; name="video"; filename="a.mp4"\r\n\r\nabc',
    })
    expect(response.status).toBe(400)
    await nothingIsLeft()
  })

  test('a video over the limit', async () => {
    const video = blobOf(Buffer.alloc(61 * megabyte))
    const { status, body } = await ines.post(address, await formOf({ video }))
    expect([status, body.message]).toEqual([413, 'The file is too large: at most 60 MB'])
    await nothingIsLeft()
  })
})

test('rejects a declared body above the limit before it is sent', async () => {
  const cookie = [...ines.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const { hostname, port } = new URL(site.origin)
  const socket = connect(Number(port), hostname)
  const head = [
    `POST ${address} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    `cookie: ${cookie}`,
    'content-type: multipart/form-data; boundary=b',
    `content-length: ${10 ** 12}`,
    '',
    '--b',
  ].join('\r\n')
  const response = new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))))
  // the server closes the connection without reading the body
  socket.on('error', () => undefined)
  socket.write(head)
  expect(await response).toMatch(/^HTTP\/1.1 413 /)
  socket.destroy()
})

/** A raw request: `sent` of the body's bytes, then the test controls the connection. */
async function sendBytes(
  client: TestClient,
  share: number,
): Promise<{ socket: Socket; response: Promise<string>; rest: Buffer }> {
  const request = new Request('http://x/', { method: 'POST', body: await formOf() })
  const body = Buffer.from(await request.arrayBuffer())
  const { hostname, port } = new URL(client.origin)
  const socket = connect(Number(port), hostname)
  let text = ''
  const response = new Promise<string>((resolve) => {
    socket.on('data', (chunk) => (text += String(chunk)))
    socket.on('error', () => resolve(text)).on('close', () => resolve(text))
  })
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const head = [
    `POST ${address} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    `cookie: ${cookie}`,
    `content-type: ${request.headers.get('content-type')}`,
    `content-length: ${body.length}`,
    'connection: close',
    '',
    '',
  ].join('\r\n')
  await new Promise<void>((resolve, reject) => {
    socket.write(
      Buffer.concat([Buffer.from(head), body.subarray(0, Math.ceil(body.length * share))]),
      (error) => (error ? reject(error) : resolve()),
    )
  })
  // the server counts it as active; a complete one may end before that is seen
  const isTaken = async () => text !== '' || (await uploadsOf(client)) > 0
  await expect.poll(isTaken, { interval: 1 }).toBe(true)
  return { socket, response, rest: body.subarray(Math.ceil(body.length * share)) }
}

/** Whether the complete next response is being sent: the sender may miss it, and the video stays. */
function nextResponse(): Promise<boolean> {
  return new Promise((resolve) => {
    site.app.server.once('request', (_, response: ServerResponse) =>
      response.once('close', () => resolve(response.writableFinished)),
    )
  })
}

describe('a client that disconnects', () => {
  test.each([0.01, 0.5, 0.99])('leaves no files after %s of the bytes', async (share) => {
    const { socket, response } = await sendBytes(ines, share)
    socket.destroy()
    expect(await response).toBe('')
    await nothingIsLeft()
  })

  test('leaves no files when the connection closes during the inspection', async () => {
    for (const delayMs of [0, 5, 20, 50, 80, 120, 160, 200, 250]) {
      const nextResponded = nextResponse()
      const { socket, response } = await sendBytes(ines, 1)
      setTimeout(() => socket.destroy(), delayMs)
      expect(['', 'HTTP/1.1 201']).toContain((await response).slice(0, 12))
      if (await nextResponded) before = await everythingThatStays()
      else await nothingIsLeft()
    }
  })

  test('is closed after an idle timeout', async () => {
    const constants = { uploadIdleSeconds: 1 }
    const impatient = await createTestApp({ constants, databaseUrl: site.databaseUrl })
    onTestFinished(() => impatient.close())
    const there = ines.at(impatient.origin)
    ids.set(there, ids.get(ines) ?? '')
    const { response } = await sendBytes(there, 0.5)
    expect(await response).toMatch(/^HTTP\/1.1 408 /)
    await nothingIsLeft(there)
    const incoming = join(impatient.context.config.dataDir, 'incoming')
    await expect.poll(() => readdir(incoming)).toEqual([])
  })
})

describe('a session that ends during the upload', () => {
  test.each<[string, string, (client: TestClient, userId: string) => Promise<unknown>]>([
    ['signed out', '401', (client) => client.post('/api/v1/users/logout')],
    [
      'a password changed elsewhere',
      '401',
      (_, userId) => resetPassword(site.context, userId, 'another one'),
    ],
    ['a suspended account', '403', (_, userId) => suspendUser(site.context, userId)],
    [
      'a deleted account',
      '401',
      (_, userId) => site.db.deleteFrom('users').where('id', '=', userId).execute(),
    ],
  ])('%s: returns %s and leaves no files', async (_, status, change) => {
    const { client, user } = await signUp(site)
    ids.set(client, user._id)
    before = await everythingThatStays()
    const { socket, response, rest } = await sendBytes(client, 0.5)
    await change(client, user._id)
    socket.write(rest)
    expect((await response).slice(0, 12)).toBe(`HTTP/1.1 ${status}`)
    await nothingIsLeft(client)
  })
})

describe('concurrently', () => {
  test('accepts six uploads of one user and rejects the seventh', async () => {
    const [busy, other] = [await person('busy'), await person('other')]
    before = await everythingThatStays()
    const open = await Promise.all(Array.from({ length: 6 }, () => sendBytes(busy, 0.5)))
    await expect.poll(() => uploadsOf(busy)).toBe(6)
    const refused = await busy.post(address, await formOf())
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30'])
    expect((await other.post(address, await formOf({ title: '' }))).status).toBe(400)
    for (const { socket } of open) socket.destroy()
    await nothingIsLeft(busy)
    expect((await busy.post(address, await formOf())).status).toBe(201)
  })
})

test('a rejection reaches the sender after a large body was read to its end', async () => {
  const video = blobOf(Buffer.alloc(50 * megabyte, 'not a video '))
  const wrong = await ines.post(address, await formOf({ video }))
  expect([wrong.status, wrong.body.message]).toEqual([400, videoErrors.fileTypes.message])
  const unknown = await site.client().post(address, await formOf({ video }))
  expect([unknown.status, unknown.body.code]).toEqual([401, 'unauthenticated'])
  // the connection can be reused
  expect((await site.client().get('/healthz')).status).toBe(200)
  await nothingIsLeft()
})

test('a received file is kept while the rest of the form arrives for hours', async () => {
  // without a worker, whose drafts would look old too
  const idle = await createTestApp()
  onTestFinished(() => idle.close())
  const { client } = await signUp(idle, { username: 'ines' })
  const { hostname, port } = new URL(idle.origin)
  const socket = connect(Number(port), hostname)
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const file = (name: string) =>
    `--b\r\ncontent-disposition: form-data; name="${name}"; filename="f"\r\n\r\nbytes`
  const head = [
    `POST ${address} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    `cookie: ${cookie}`,
    'content-type: multipart/form-data; boundary=b',
    `content-length: ${megabyte}`,
    '',
    file('thumbnail'),
    file('video'),
  ].join('\r\n')
  socket.write(head)
  const incoming = join(idle.context.config.dataDir, 'incoming')
  await expect.poll(() => readdir(incoming).catch(() => [])).toHaveLength(2)
  const clock = { now: () => new Date(Date.now() + 5 * 3_600_000) }
  expect(await clearStale({ ...idle.context, clock })).toBe(0)
  socket.destroy()
  await expect.poll(() => readdir(incoming)).toEqual([])
})
