import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runningVideoImports } from '@kinora/contract/constants.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import {
  createVideoImport,
  deleteVideoImport,
  listVideoImports,
  type VideoImport,
} from '@kinora/contract/portability/video-imports.ts'
import { newAccountBaseLimits } from '@kinora/contract/accounts/new-accounts.ts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { videoOf } from '../../../testing/fixtures/test-uploads.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { listen } from '@kinora/platform/testing/listen.ts'
import { newId } from '@kinora/platform/ids.ts'
import { changeSettings } from '../../operations/site/actions.ts'
import { countUpload } from '../../videos/uploads/actions/quota.ts'
import { suspendUser } from '../../accounts/users/actions/suspend-user.ts'
import { runVideoImport } from './jobs.ts'
import { titleOfAddress } from './rules.ts'

let site: TestApp
let origin: string
let clip: Buffer
const requests: { path: string; range: string | undefined }[] = []

/** A server of files. It breaks the first connection to `/cut.mp4`, and says nothing of the size of `/endless.mp4`. */
function serve({ url: path = '/', headers: { range } }: IncomingMessage, response: ServerResponse): void {
  requests.push({ path, range })
  const redirects: Record<string, string> = {
    '/moved': '/clip.mp4',
    '/login-first': '/page',
    '/inward': 'http://10.1.2.3/clip.mp4',
    '/around': '/around',
    '/file': 'file:///etc/passwd',
  }
  const location = redirects[path]
  if (location !== undefined) return void response.writeHead(302, { location }).end()
  const start = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
  const stated = { 'content-length': clip.length - start, etag: '"1"' }
  if (path === '/cut.mp4' && start === 0) {
    response.writeHead(200, stated)
    response.write(clip.subarray(0, clip.length / 2), () => response.destroy())
  } else if (path === '/cut.mp4')
    response
      .writeHead(206, { ...stated, 'content-range': `bytes ${start}-${clip.length - 1}/${clip.length}` })
      .end(clip.subarray(start))
  else if (path.includes('/clip.mp4')) response.writeHead(200, stated).end(clip)
  else if (path === '/endless.mp4') response.writeHead(200).end(Buffer.concat([clip, clip, clip]))
  else if (path === '/slow.mp4') {
    response.writeHead(200).write(clip)
    const more = setInterval(() => response.write(Buffer.alloc(100)), 50)
    response.once('close', () => clearInterval(more))
  } else if (path === '/huge.mp4') response.writeHead(200, { 'content-length': 10 ** 12 }).write('x')
  else if (path === '/page')
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<p>')
  else if (path === '/hidden-page') response.writeHead(200).end('<!doctype html><p>Sign in</p>')
  else if (path === '/text') response.writeHead(200).end('Only words. '.repeat(1000))
  else if (path === '/members.mp4') response.writeHead(403).end()
  else response.writeHead(404).end()
}

const server = createServer(serve)

beforeAll(async () => {
  clip = await videoOf(400_000)
  origin = await listen(server)
  site = await createTestApp({
    settings: {
      IMPORT_BY_ADDRESS: 'true',
      IMPORT_ALLOWED_ADDRESSES: '127.0.0.1',
      UPLOAD_MAX_BYTES: '1000000',
      QUOTA_VIDEOS: '3',
    },
  })
})
afterAll(async () => {
  await site.close()
  server.close()
  server.closeAllConnections()
})

const start = (client: TestClient, url: string, body: { title?: string; visibility?: 'public' } = {}) =>
  client.call(createVideoImport, { body: { url, ...body } })

const run = ({ _id: id }: VideoImport) =>
  runVideoImport.handle({ id }, site.context, AbortSignal.timeout(60_000))

/** Runs an import to its end. */
async function importFrom(
  client: TestClient,
  ...args: Parameters<typeof start> extends [unknown, ...infer Rest] ? Rest : never
) {
  const started = await start(client, ...args)
  await run(started)
  const found = (await client.call(listVideoImports, {})).find(({ _id }) => _id === started._id)
  if (!found) throw new Error('the import is not listed')
  return found
}

const incoming = () => readdir(join(site.context.config.dataDir, 'incoming'))

test('publishes the file at an address, after redirects, and leaves no file behind', async () => {
  const { client } = await signUp(site)
  const done = await importFrom(client, `${origin}/moved`, { title: 'Glacier', visibility: 'public' })
  expect(done).toMatchObject({ state: 'done', receivedBytes: clip.length, sizeBytes: clip.length })
  const [video] = await site.client().call(getVideo, { params: { id: done._id } })
  expect(video).toMatchObject({ title: 'Glacier', visibility: 'public', width: 320 })
  expect(await incoming()).toEqual([])
  // a worker that was killed before it stored the end
  await site.db.updateTable('videoImports').set({ state: 'running' }).where('id', '=', done._id).execute()
  await run(done)
  const [again] = await client.call(listVideoImports, {})
  expect(again).toMatchObject({ state: 'done' })
})

test('is private and named like the file by default', async () => {
  const { client } = await signUp(site)
  const done = await importFrom(client, `${origin}/My%20holiday/clip.mp4?token=1`)
  expect(done).toMatchObject({ state: 'done', title: 'clip', visibility: 'private' })
  expect((await site.client().get(`/api/v1/video/${done._id}`)).status).toBe(404)
})

test('continues a file where the connection was lost', async () => {
  const { client } = await signUp(site)
  requests.length = 0
  expect(await importFrom(client, `${origin}/cut.mp4`)).toMatchObject({ state: 'done' })
  expect(requests).toHaveLength(2)
  expect(requests[1]?.range).toMatch(/^bytes=[1-9]\d*-$/)
})

test.each([
  ['/page', /address of a page/],
  ['/login-first', /address of a page/],
  ['/hidden-page', /address of a page/],
  ['/text', /Invalid file type/],
  ['/missing.mp4', /no file at this address/],
  ['/members.mp4', /refuses access/],
  ['/huge.mp4', /too large/],
  ['/endless.mp4', /too large/],
  ['/inward', /private network/],
  ['/around', /too often/],
  ['/file', /something other than http/],
])('refuses %s and says why', async (path, failure) => {
  const { client } = await signUp(site)
  const failed = await importFrom(client, origin + path)
  expect(failed).toMatchObject({ state: 'failed', failure: expect.stringMatching(failure) })
  expect(await incoming()).toEqual([])
})

test('reaches no private address by number or by name', async () => {
  const { client } = await signUp(site)
  for (const host of ['10.0.0.1', '169.254.169.254', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706434'])
    expect(await importFrom(client, `http://${host}/clip.mp4`)).toMatchObject({
      state: 'failed',
      failure: 'The address is in a private network.',
    })
  for (const url of [
    'ftp://example.org/a.mp4',
    'file:///etc/passwd',
    'https://a:b@example.org/a.mp4',
    'nothing',
  ])
    expect((await client.post('/api/v1/studio/imports', { url })).status).toBe(400)
})

test('counts for the quota before it fetches anything', async () => {
  const { client } = await signUp(site)
  for (let count = 0; count < 3; count += 1)
    expect(await importFrom(client, `${origin}/clip.mp4`)).toMatchObject({ state: 'done' })
  const failed = await importFrom(client, `${origin}/clip.mp4`)
  expect(failed).toMatchObject({ state: 'failed', receivedBytes: 0 })
  expect(failed.failure).toMatch(/quota of 3 videos/)
})

test('ends an import that is removed, and keeps those of others', async () => {
  const [owner, other] = [await signUp(site), await signUp(site)]
  const started = await start(owner.client, `${origin}/clip.mp4`)
  const path = `/api/v1/studio/imports/${started._id}`
  expect((await other.client.delete(path)).status).toBe(404)
  await owner.client.call(deleteVideoImport, { params: { importId: started._id } })
  await run(started)
  expect((await owner.client.get(`/api/v1/video/${started._id}`)).status).toBe(404)
  expect(await owner.client.call(listVideoImports, {})).toEqual([])
})

const isStored = async ({ _id }: VideoImport, state: 'running' | 'failed') => {
  const query = site.db.selectFrom('videoImports').select(['state', 'failure']).where('id', '=', _id)
  await expect.poll(() => query.executeTakeFirst()).toMatchObject({ state })
  return query.executeTakeFirst()
}

test('a suspension of the owner ends a transfer, and imports that wait', async () => {
  const { client, user } = await signUp(site)
  const [started, waiting] = [
    await start(client, `${origin}/slow.mp4`, { visibility: 'public' }),
    await start(client, `${origin}/clip.mp4`, { visibility: 'public' }),
  ]
  const transfer = run(started)
  await isStored(started, 'running')
  await suspendUser(site.context, user._id)
  await transfer
  await run(waiting)
  for (const each of [started, waiting]) {
    const failure =
      'The import was stopped because the account was suspended or about to be deleted. Start it again.'
    expect(await isStored(each, 'failed')).toMatchObject({ failure })
    expect((await site.client().get(`/api/v1/video/${each._id}`)).status).toBe(404)
  }
  expect(await incoming()).toEqual([])
})

test('obeys the limit of new accounts', async () => {
  const { client, user } = await signUp(site)
  const waiting = await start(client, `${origin}/clip.mp4`)
  await changeSettings(site.context, null, { newAccountDays: 7 })
  onTestFinished(() => changeSettings(site.context, null, { newAccountDays: 0 }))
  for (let count = 0; count < newAccountBaseLimits.uploads; count += 1)
    await countUpload(site.context, { uploadId: newId(), ownerId: user._id, bytes: 10 })
  const refused = await client.post('/api/v1/studio/imports', { url: `${origin}/clip.mp4` })
  expect(refused.status).toBe(429)
  await run(waiting)
  expect(await client.call(listVideoImports, {})).toMatchObject([
    { state: 'failed', failure: expect.stringMatching(/^New accounts can begin 5 uploads/) },
  ])
})

test('runs a few imports of an account at a time', async () => {
  const { client } = await signUp(site)
  for (let count = 0; count < runningVideoImports; count += 1) await start(client, `${origin}/clip.mp4`)
  const { status } = await client.post('/api/v1/studio/imports', { url: `${origin}/clip.mp4` })
  expect(status).toBe(409)
})

test.each([
  ['https://example.org/videos/Salt%20flats_at_dawn.mp4?x=1', 'Salt flats at dawn'],
  ['https://example.org/', 'example.org'],
  ['https://example.org/%E0%A4%A.mp4', '%E0%A4%A'],
  ['https://example.org/watch', 'watch'],
  ['https://example.org/%E2%80%8B.mp4', 'example.org'],
])('names the video at %s', (address, title) => {
  expect(titleOfAddress(address, 200)).toBe(title)
})
