import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { createAccountImport } from '@kinora/contract/portability/account-imports.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ownName } from '@kinora/platform/process-identity.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import {
  append,
  begin,
  videoOf,
  offsetOf,
  publish,
  sourceOf,
  startPiece,
  tus,
  uploadForm,
  uploads,
} from '../../../testing/fixtures/test-uploads.ts'
import { drawPicture, signUp, testPassword } from '../../../testing/fixtures/test-users.ts'
import { suspendUser } from '../../accounts/users/actions/suspend-user.ts'
import { clearStale } from './actions/clear-stale.ts'
import { deleteUpload, insertUpload, listUploadsOf } from './queries.ts'

const megabyte = 1024 * 1024

let site: TestApp
let ines: TestClient
let stranger: TestClient

beforeAll(async () => {
  site = await createTestApp({
    settings: { UPLOAD_MAX_BYTES: String(40 * megabyte) },
  })
  ines = (await signUp(site, { username: 'ines' })).client
  stranger = (await signUp(site)).client
})
afterAll(() => site.close())

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const left = (directory: string) => readdir(join(site.context.config.dataDir, directory)).catch(() => [])

test('resumes an upload and publishes the video', async () => {
  const file = await videoOf(3 * megabyte)
  const path = await begin(ines, file.length)
  expect(path).toMatch(/^\/api\/v1\/uploads\/\w+$/)
  expect((await append(ines, path, 0, file.subarray(0, megabyte))).headers.get('upload-offset')).toBe(
    String(megabyte),
  )
  expect(await offsetOf(ines, path)).toBe(megabyte)
  expect((await publish(ines, path)).status).toBe(409)
  expect((await append(ines, path, 0, file.subarray(0, 10))).status).toBe(409)
  expect((await append(ines, path, megabyte, file.subarray(megabyte))).status).toBe(204)

  const { status, body } = await publish(ines, path)
  expect([status, body.success]).toEqual([201, true])
  const video = body.data as Video
  expect(video).toMatchObject({ title: 'Glacier', description: 'Ice', videoOwner: { username: 'ines' } })
  expect(sha256(await sourceOf(ines, video))).toBe(sha256(file))
  expect(await left('uploads')).toEqual([])
  await expect.poll(() => left('incoming')).toEqual([])
})

test('reads a refused body to its end, and resumes afterwards', async () => {
  const video = await videoOf(megabyte)
  const path = await begin(ines, video.length)
  const file = join(site.context.config.dataDir, 'uploads', path.split('/').at(-1) ?? '')
  await rm(file)
  await symlink('/dev/full', file)
  expect((await append(ines, path, 0, video)).status).toBe(503)
  await rm(file)
  await writeFile(file, '')
  expect((await append(ines, path, 0, video)).status).toBe(204)
  expect((await publish(ines, path)).status).toBe(201)
})

test('reaches an upload only by its own URL', async () => {
  const [theirs, own] = [await begin(ines, 4), await begin(stranger, 4)]
  const id = theirs.split('/').at(-1) ?? ''
  const evil = new TextEncoder().encode('EVIL')
  for (const path of [
    `${own}?/${id}`,
    `${own}?x=/${id}`,
    `${own}#/${id}`,
    `${own}%2F${id}`,
    `${own}/${id}`,
  ]) {
    await append(stranger, path, 0, evil)
    await tus(stranger, 'DELETE', path)
    await tus(stranger, 'DELETE', `${path}.json`)
    expect([path, await offsetOf(ines, theirs)]).toEqual([path, 0])
  }
  await tus(ines, 'DELETE', theirs)
})

test('returns the same video for a repeated publication', async () => {
  const video = await videoOf(megabyte)
  const path = await begin(ines, video.length)
  await append(ines, path, 0, video)
  const responses = await Promise.all([publish(ines, path), publish(ines, path)])
  responses.push(await publish(ines, path))
  expect(responses.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(new Set(responses.map(({ body }) => (body.data as Video)._id)).size).toBe(1)
  expect(sha256(await sourceOf(ines, responses[0]?.body.data as Video))).toBe(sha256(video))
  await expect.poll(() => left('incoming')).toEqual([])
  expect((await publish(stranger, path)).status).toBe(404)
})

test('does not publish for an account that is suspended meanwhile', async () => {
  const { client, user } = await signUp(site)
  const video = await videoOf(megabyte)
  const path = await begin(client, video.length)
  await append(client, path, 0, video)
  const form = new Request('http://x/', { method: 'POST', body: await uploadForm() })
  const body = Buffer.from(await form.arrayBuffer())
  const half = new PassThrough()
  half.write(body.subarray(0, body.length - 50))
  const response = client.fetch(`${path}/publish`, {
    method: 'POST',
    headers: { 'content-type': form.headers.get('content-type') ?? '' },
    body: Readable.toWeb(half) as ReadableStream,
    duplex: 'half',
  })
  await expect.poll(() => left('incoming')).toHaveLength(1)
  await suspendUser(site.context, user._id)
  half.end(body.subarray(body.length - 50))
  const { status } = await response
  expect(status).toBe(403)
  await expect.poll(() => left('incoming')).toEqual([])
  const videos = await site.db.selectFrom('videos').select('id').where('ownerId', '=', user._id).execute()
  expect(videos).toEqual([])
  // a reinstated account may publish it within a day
  const clock = { now: () => new Date(Date.now() + 25 * 3_600_000) }
  expect(await clearStale({ ...site.context, clock })).toBe(2)
})

test('keeps the upload after errors of texts or thumbnail', async () => {
  const video = await videoOf(megabyte)
  const path = await begin(ines, video.length)
  await append(ines, path, 0, video)
  expect((await publish(ines, path, { title: ' ' })).body.message).toBe('Title is required')
  const webp = await publish(ines, path, { thumbnail: await drawPicture(64, 36, 'webp') })
  expect([webp.status, webp.body.message]).toEqual([400, videoErrors.pictureTypes.message])
  expect((await publish(ines, path)).status).toBe(201)
})

test('deletes a file that is no video', async () => {
  const path = await begin(ines, 1000)
  await append(ines, path, 0, Buffer.alloc(1000, 'text'))
  const { status, body } = await publish(ines, path)
  expect([status, body.message]).toEqual([400, videoErrors.fileTypes.message])
  expect((await publish(ines, path)).status).toBe(404)
  expect(await left('uploads')).toEqual([])
})

test('is accessible to its owner only', async () => {
  const path = await begin(ines, 1000)
  const visitor = site.client()
  for (const method of ['HEAD', 'PATCH', 'DELETE']) {
    const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    expect((await tus(visitor, method, path, headers)).status).toBe(401)
    expect((await tus(stranger, method, path, headers)).status).toBe(403)
    expect((await tus(ines, method, `${uploads}/nothing`, headers)).status).toBe(404)
    expect((await tus(ines, method, `${uploads}/..%2fx`, headers)).status).toBe(404)
  }
  expect((await tus(visitor, 'POST', uploads, { 'upload-length': '5' })).status).toBe(401)
  expect((await publish(visitor, path)).status).toBe(401)
  expect((await publish(stranger, path)).status).toBe(403)
  expect((await publish(ines, `${uploads}/nothing`)).status).toBe(404)
  expect((await tus(ines, 'DELETE', path)).status).toBe(204)
  expect((await tus(ines, 'HEAD', path)).status).toBe(404)
  expect(await left('uploads')).toEqual([])
})

test('rejects malformed and oversized requests in the envelope', async () => {
  const path = await begin(ines, 10)
  const responses = [
    await tus(ines, 'POST', uploads, { 'upload-length': String(41 * megabyte) }),
    await tus(ines, 'POST', uploads, { 'upload-length': 'x' }),
    await tus(ines, 'POST', uploads),
    await ines.fetch(uploads, { method: 'POST' }),
    await append(ines, path, 0, Buffer.alloc(11)),
    await append(ines, path, 5, Buffer.alloc(5)),
    await tus(ines, 'PATCH', path, { 'upload-offset': '0' }, Buffer.alloc(5)),
    await ines.fetch(path),
  ]
  expect(responses.map(({ status }) => status)).toEqual([413, 400, 400, 412, 413, 409, 415, 404])
  for (const response of responses)
    expect(await response.json()).toMatchObject({ success: false, data: null })
  await tus(ines, 'DELETE', path)
})

test('rejects other content types with a message about tus', async () => {
  const path = await begin(ines, 4)
  const send = (method: string, to: string, type: string) =>
    tus(
      ines,
      method,
      to,
      { 'content-type': type, 'upload-offset': '0', 'upload-length': '4' },
      Buffer.from('clip'),
    )
  for (const [method, to] of [['PATCH', path] as const, ['POST', uploads] as const]) {
    for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=x']) {
      const response = await send(method, to, type)
      expect([method, type, response.status]).toEqual([method, type, 415])
      expect(await response.text()).toContain('Content-Type: application/offset+octet-stream')
    }
  }
  expect((await tus(ines, 'PATCH', path, { 'upload-offset': '0' }, Buffer.from('clip'))).status).toBe(415)
  expect(await offsetOf(ines, path)).toBe(0)
  // an empty body has no content type to reject
  const empty = await tus(ines, 'POST', uploads, { 'content-type': 'text/plain', 'upload-length': '4' })
  expect(empty.status).toBe(201)
  for (const each of [path, empty.headers.get('location') ?? '']) await tus(ines, 'DELETE', each)
})

test('rejects another version of tus without side effects', async () => {
  const path = await begin(ines, 10)
  const visitor = site.client()
  for (const [sender, version, statuses] of [
    [ines, '0.2.2', [412, '1.0.0']],
    [ines, '', [412, '1.0.0']],
    // the missing session is reported first
    [visitor, '0.2.2', [401, null]],
  ] as const) {
    for (const [method, address] of [
      ['POST', uploads],
      ['DELETE', path],
      ['HEAD', path],
    ] as const) {
      const headers = { 'tus-resumable': version, 'upload-length': '10' }
      const response = await tus(sender, method, address, headers)
      expect([method, response.status, response.headers.get('tus-version')]).toEqual([method, ...statuses])
    }
  }
  expect(await offsetOf(ines, path)).toBe(0)
  await tus(ines, 'DELETE', path)
})

test(
  'limits a user to a hundred unfinished uploads, even under concurrency',
  { tags: ['nightly'] },
  async () => {
    const { client } = await signUp(site)
    const beginMany = async (count: number) => {
      const responses = await Promise.all(
        Array.from({ length: count }, () => tus(client, 'POST', uploads, { 'upload-length': '10' })),
      )
      const begun = responses.flatMap(({ headers }) => headers.get('location') ?? [])
      const refused = responses.filter(({ status }) => status === 429)
      expect(begun.length + refused.length).toBe(count)
      for (const response of refused)
        expect(await response.text()).toContain('You have 100 unfinished uploads')
      return begun
    }
    const paths = await beginMany(130)
    expect(paths).toHaveLength(100)
    for (const path of paths.slice(0, 5)) await tus(client, 'DELETE', path)
    paths.splice(0, 5, ...(await beginMany(20)))
    expect(paths).toHaveLength(100)
    expect((await tus(client, 'POST', uploads, { 'upload-length': '10' })).status).toBe(429)
    await begin(stranger, 10)
    expect((await tus(client, 'DELETE', paths[0] ?? '')).status).toBe(204)
    await begin(client, 10)
    const clock = { now: () => new Date(Date.now() + 25 * 3_600_000) }
    await clearStale({ ...site.context, clock })
    await begin(client, 10)
    await clearStale({ ...site.context, clock })
  },
)

test('lists uploads in a bucket by owner', async () => {
  const row = { sourceKey: 's', partsId: 'p', partBytes: 1, touchedAt: new Date() }
  for (const [id, ownerId] of Object.entries({ b1: 'ana', b2: 'ana', b3: 'ben' }))
    await insertUpload(site.db, { ...row, id, metadata: JSON.stringify({ filename: 'a', ownerId }) })
  expect((await listUploadsOf(site.db, 'ana')).toSorted()).toEqual(['b1', 'b2'])
  expect(await listUploadsOf(site.db, 'nobody')).toEqual([])
  for (const id of ['b1', 'b2', 'b3']) await deleteUpload(site.db, id)
})

test('deletes unfinished uploads with their account', async () => {
  const working = await createTestApp({ worker: true })
  onTestFinished(() => working.close())
  const [leaving, staying] = [(await signUp(working)).client, (await signUp(working)).client]
  for (const client of [leaving, staying]) {
    const path = await begin(client, 10)
    await append(client, path, 0, Buffer.alloc(4))
  }
  const uploaded = () => readdir(join(working.context.config.dataDir, 'uploads'))
  expect(await uploaded()).toHaveLength(4)
  await leaving.post('/api/v1/users/deleteaccount', { password: testPassword })
  await expect.poll(uploaded).toHaveLength(2)
})

test('limits the metadata of an upload to 4 KB', async () => {
  const say = (length: number) =>
    tus(ines, 'POST', uploads, { 'upload-length': '10', 'upload-metadata': `name ${'a'.repeat(length)}` })
  const refused = await say(4092)
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('Upload-Metadata may have at most 4 KB')
  const taken = await say(4088)
  expect(taken.status).toBe(201)
  await tus(ines, 'DELETE', taken.headers.get('location') ?? '')
})

test('deletes uploads that were not continued for a day', async () => {
  const path = await begin(ines, 10)
  await append(ines, path, 0, Buffer.alloc(5))
  expect(await clearStale(site.context)).toBe(0)
  const later = (hours: number) => ({ now: () => new Date(Date.now() + hours * 3_600_000) })
  expect(await clearStale({ ...site.context, clock: later(23) })).toBe(0)
  expect(await clearStale({ ...site.context, clock: later(25) })).toBe(2)
  expect((await tus(ines, 'HEAD', path)).status).toBe(404)
})

test('keeps an upload that an import of an account waits for', async () => {
  const waiting = await signUp(site)
  const path = await begin(waiting.client, 10)
  await append(waiting.client, path, 0, Buffer.alloc(10))
  const uploadId = path.split('/').at(-1) ?? ''
  await waiting.client.call(createAccountImport, { body: { uploadId } })
  const clock = { now: () => new Date(Date.now() + 49 * 3_600_000) }
  await clearStale({ ...site.context, clock })
  expect((await tus(waiting.client, 'HEAD', path)).status).toBe(200)
  await site.db.updateTable('accountImports').set({ state: 'done' }).execute()
  await clearStale({ ...site.context, clock })
  expect((await tus(waiting.client, 'HEAD', path)).status).toBe(404)
})

test('a file that cannot be deleted does not keep others from being deleted', async () => {
  const path = await begin(ines, 10)
  const drafts = join(site.context.config.dataDir, 'storage/.drafts')
  await rm(drafts, { recursive: true, force: true })
  await mkdir(join(drafts, '..'), { recursive: true })
  await writeFile(drafts, 'not a folder')
  onTestFinished(() => rm(drafts))
  const clock = { now: () => new Date(Date.now() + 25 * 3_600_000) }
  await expect(clearStale({ ...site.context, clock })).rejects.toThrow('ENOTDIR')
  expect((await tus(ines, 'HEAD', path)).status).toBe(404)
})

test('immediately deletes the received files of dead processes only', async () => {
  const incoming = join(site.context.config.dataDir, 'incoming')
  await mkdir(incoming, { recursive: true })
  const nameOf = (program: string) =>
    execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  const module = JSON.stringify(join(import.meta.dirname, '../../../../../platform/src/process-identity.ts'))
  const report = `process.stdout.write((await import(${module})).ownName())`
  const abandoned = nameOf(report)
  const elsewhere = abandoned.replace(/^(\d+-\d+)-\w+/, '$1-0123456789ab')
  const neighbour = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `${report}; process.stdin.resume()`,
  ])
  onTestFinished(() => void neighbour.kill())
  const [printed] = await once(neighbour.stdout, 'data')
  const running = [ownName(), String(printed)]
  for (const name of [abandoned, elsewhere, ...running]) await writeFile(join(incoming, name), 'half a video')
  expect(await clearStale(site.context)).toBe(1)
  expect((await readdir(incoming)).toSorted()).toEqual([elsewhere, ...running].toSorted())
  const later = (hours: number) => ({ now: () => new Date(Date.now() + hours * 3_600_000) })
  expect(await clearStale({ ...site.context, clock: later(2) })).toBe(1)
  expect((await readdir(incoming)).toSorted()).toEqual(running.toSorted())
  // files of running processes after a week
  expect(await clearStale({ ...site.context, clock: later(8 * 24) })).toBe(2)
})

test('returns 503 on a full disk, and the upload can be resumed', async () => {
  const path = await begin(ines, 10)
  const id = path.split('/').at(-1) ?? ''
  const file = join(site.context.config.dataDir, 'uploads', id)
  // /dev/full fails every write with ENOSPC
  await rm(file)
  await symlink('/dev/full', file)
  const refused = await append(ines, path, 0, Buffer.alloc(10))
  expect([refused.status, await refused.json()]).toEqual([
    503,
    expect.objectContaining({
      code: 'unavailable',
      message: 'The disk of the server is full. Try again later.',
    }),
  ])
  await rm(file)
  await writeFile(file, '')
  expect(await offsetOf(ines, path)).toBe(0)
  expect((await append(ines, path, 0, Buffer.alloc(10))).status).toBe(204)
  await tus(ines, 'DELETE', path)
})

test('deletes drafts that a killed process left in the storage', async () => {
  const drafts = join(site.context.config.dataDir, 'storage/.drafts')
  await mkdir(drafts, { recursive: true })
  await writeFile(join(drafts, 'left'), 'half a segment')
  expect(await clearStale(site.context)).toBe(0)
  const clock = { now: () => new Date(Date.now() + 2 * 3_600_000) }
  expect(await clearStale({ ...site.context, clock })).toBe(1)
  expect(await readdir(drafts)).toEqual([])
})

test('keeps an upload whose inspection was killed', async () => {
  const video = await drawClip('mp4')
  const path = await begin(ines, video.length)
  const program = join(site.context.config.dataDir, 'killed-ffprobe')
  // as the sandbox reports a kill; a program in it is process 1, which cannot kill itself
  await writeFile(program, '#!/bin/sh\n[ "$1" = -version ] || exit 137\n', { mode: 0o755 })
  const { ffprobePath } = site.context.config
  site.context.config.ffprobePath = program
  try {
    // the inspection starts when the upload is complete
    await append(ines, path, 0, video)
    const refused = await publish(ines, path)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10'])
  } finally {
    site.context.config.ffprobePath = ffprobePath
  }
  expect(await offsetOf(ines, path)).toBe(video.length)
  expect((await publish(ines, path)).status).toBe(201)
})

test('survives a killed server, byte for byte', { tags: ['nightly'] }, async () => {
  const video = await videoOf(24 * megabyte)
  const { server, client: here } = await startServer()
  const path = await begin(here, video.length)
  const sending = sendSlowly(here, path, video)
  await expect.poll(() => offsetOnDisk(path), { interval: 5 }).toBeGreaterThan(4 * megabyte)
  server.kill('SIGKILL')
  await sending
  const { client: again } = await startServer()

  const offset = await offsetOf(again, path)
  expect(offset).toBeGreaterThan(4 * megabyte)
  expect(offset).toBeLessThan(video.length)
  expect((await append(again, path, offset, video.subarray(offset))).status).toBe(204)
  const { status, body } = await publish(again, path)
  expect(status).toBe(201)
  expect(sha256(await sourceOf(ines, body.data as Video))).toBe(sha256(video))
})

async function offsetOnDisk(path: string): Promise<number> {
  const file = join(site.context.config.dataDir, 'uploads', path.split('/').at(-1) ?? '')
  return (await readFile(file).catch(() => Buffer.alloc(0))).length
}

/** Sends all bytes a megabyte at a time; settles when the connection is closed. */
function sendSlowly(client: TestClient, path: string, video: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const request = startPiece(client, path, 0, video.length)
    request.on('error', () => resolve()).on('close', () => resolve())
    let sent = 0
    const timer = setInterval(() => {
      // never the last chunk: the server has to be killed while it is receiving
      if (sent + megabyte >= video.length) return clearInterval(timer)
      request.write(video.subarray(sent, (sent += megabyte)))
    }, 10)
    request.on('close', () => clearInterval(timer))
  })
}

/** A web process on the site's database and data, and a client of it. */
async function startServer(): Promise<{ server: ChildProcess; client: TestClient }> {
  const server = spawn(process.execPath, [join(import.meta.dirname, '../../../bin/web.ts')], {
    env: {
      ...process.env,
      DATABASE_URL: site.databaseUrl,
      DATA_DIR: site.context.config.dataDir,
      PORT: '0',
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void server.kill('SIGKILL'))
  const origin = await new Promise<string>((resolve, reject) => {
    let output = ''
    server.stdout.on('data', (chunk: Buffer) => {
      output += String(chunk)
      const address = /listening at (http:[^"]+)"/.exec(output)?.[1]
      if (address) resolve(address)
    })
    server.once('exit', () => reject(new Error(output)))
  })
  return { server, client: ines.at(origin) }
}

/** A second web process, with the database and the folder of `site`. */
async function startSecond(): Promise<TestApp> {
  const { databaseUrl, context } = site
  const second = await createTestApp({ databaseUrl, dataDir: context.config.dataDir })
  onTestFinished(() => second.close())
  return second
}

test('a request that continues an upload ends an earlier one of another process, which writes nothing more', async () => {
  const second = await startSecond()
  const elsewhere = ines.at(second.origin)
  const video = await videoOf(2 * megabyte)
  const path = await begin(ines, video.length)
  const file = join(site.context.config.dataDir, 'uploads', path.split('/').at(-1) ?? '')
  const earlier = startPiece(ines, path, 0, video.length)
  const ended = Promise.race([once(earlier, 'response'), once(earlier, 'close')])
  earlier.write(video.subarray(0, megabyte))
  await expect.poll(async () => (await stat(file)).size).toBe(megabyte)
  expect((await append(elsewhere, path, megabyte, video.subarray(megabyte))).status).toBe(204)
  const published = await publish(elsewhere, path)
  expect(published.status).toBe(201)
  earlier.end(Buffer.alloc(video.length - megabyte, 'changed later'))
  await ended
  const stored = await sourceOf(elsewhere, published.body.data as Video)
  expect(sha256(stored)).toBe(sha256(video))
})
