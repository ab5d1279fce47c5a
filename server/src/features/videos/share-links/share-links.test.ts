import {
  createShareLink,
  deleteShareLink,
  listShareLinks,
  openShareLink,
  recordSharedView,
} from '@kinora/contract/videos/share-links.ts'
import { changeOwnVideo, getOwnVideo } from '@kinora/contract/videos/studio.ts'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { h264, publishSource } from '../../../testing/fixtures/test-sources.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { getVideo } from '../videos/queries/videos.ts'
import { deleteOldVisits } from './jobs.ts'

let site: TestApp
let owner: Awaited<ReturnType<typeof signUp>>
let id: string

beforeAll(async () => {
  site = await createTestApp({
    worker: true,
    settings: { PREPARE_POLICY: 'none', SEGMENT_WAIT_SECONDS: '150' },
    constants: { loginsPerMinute: 3 },
  })
  owner = await signUp(site)
  id = await publishPrivate('lesson.mp4')
})
afterAll(() => site.close())

async function publishPrivate(file: string): Promise<string> {
  const video = await publishSource(site, file, h264, '64x36')
  await site.db.updateTable('videos').set({ ownerId: owner.user._id }).where('id', '=', video.id).execute()
  await owner.client.call(changeOwnVideo, { params: { id: video.id }, body: { visibility: 'private' } })
  const own = await getVideo(site.db, video.id, owner.user._id)
  await site.storage.put(own.thumbnail.replace('/media/', ''), Buffer.from('a picture'))
  return video.id
}

const create = (body: Partial<Parameters<typeof bodyOf>[0]> = {}) =>
  owner.client.call(createShareLink, { params: { id }, body: bodyOf(body) })
const bodyOf = (body: {
  password?: string
  expiresAt?: string
  maxViewers?: number
  allowsDownload?: boolean
}) => ({ name: 'Class 4b', ...body })
/** A browser without an account. */
async function open(secret: string, more: { password?: string; visit?: string } = {}) {
  const { visit, video } = await site.client().call(openShareLink, { body: { secret, ...more } })
  if (!video) throw new Error('A link to a video has a video')
  return { visit, video }
}
const statusOf = async (path: string) => {
  const response = await site.client().fetch(path)
  await response.arrayBuffer()
  return response.status
}

test('opens a private video for people without an account, with every file but the upload', async () => {
  const { secret } = await create()
  const { visit, video } = await open(secret)
  expect(video).toMatchObject({ _id: id, visibility: 'private', videoFile: null })
  const base = `/media/shared/${visit}/videos/${id}`
  expect(video.streamUrl).toBe(`${base}/master.m3u8`)
  for (const path of [video.streamUrl, `${base}/${SEGMENT_FORMAT}/36/0.m4s`, video.thumbnail])
    expect([path, await statusOf(path)]).toEqual([path, 200])
  const { videoFile } = await getVideo(site.db, id, owner.user._id)
  expect(await statusOf(videoFile.replace('/media/', `/media/shared/${visit}/`))).toBe(404)
  // the link opens this video alone, and nothing without the visit
  const other = await publishPrivate('other.mp4')
  expect(await statusOf(`/media/shared/${visit}/videos/${other}/master.m3u8`)).toBe(404)
  expect(await statusOf(`/media/videos/${id}/master.m3u8`)).toBe(404)
  expect(await statusOf(`/media/shared/${'x'.repeat(43)}/videos/${id}/master.m3u8`)).toBe(404)
})

test('sends the upload where the link allows it', async () => {
  const { secret } = await create({ allowsDownload: true })
  const { video } = await open(secret)
  expect(await statusOf(video.videoFile ?? '')).toBe(200)
})

test('gives no byte once it is revoked, and leaves other links alone', async () => {
  const [first, second] = [await create(), await create()]
  const [revoked, other] = [await open(first.secret), await open(second.secret)]
  await owner.client.call(deleteShareLink, { params: { id, linkId: first._id } })
  expect(await statusOf(revoked.video.streamUrl)).toBe(404)
  expect(await statusOf(other.video.streamUrl)).toBe(200)
  await expect(open(first.secret, { visit: revoked.visit })).rejects.toMatchObject({
    reason: 'share_link_gone',
  })
})

test('ends a running download within a second after it is revoked', async () => {
  const largeId = await publishPrivate('large.mp4')
  const largest = 64 * 2 ** 20
  const { sourceKey } = await site.db
    .selectFrom('videos')
    .select('sourceKey')
    .where('id', '=', largeId)
    .executeTakeFirstOrThrow()
  await site.storage.put(sourceKey, Buffer.alloc(largest))
  const params = { id: largeId }
  const body = bodyOf({ allowsDownload: true })
  const link = await owner.client.call(createShareLink, { params, body })
  const { video } = await open(link.secret)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(site.origin + video.videoFile, resolve).once('error', reject)
  })
  await owner.client.call(deleteShareLink, { params: { ...params, linkId: link._id } })
  const revokedAt = performance.now()
  await expect.poll(() => performance.now() - revokedAt).toBeGreaterThan(1000)
  // bytes that are on their way still arrive
  let received = 0
  const reading = async () => {
    for await (const chunk of response) received += (chunk as Buffer).length
  }
  await expect(reading()).rejects.toThrow('aborted')
  expect([response.statusCode, received < largest / 2]).toEqual([200, true])
})

test('ends at its time', async () => {
  const expiresAt = new Date(site.clock.now().getTime() + 60_000).toISOString()
  const { secret } = await create({ expiresAt })
  const { video } = await open(secret)
  expect(await statusOf(video.streamUrl)).toBe(200)
  site.clock.advance(61_000)
  expect(await statusOf(video.streamUrl)).toBe(404)
  await expect(open(secret)).rejects.toMatchObject({ reason: 'share_link_gone' })
})

test('asks for its password, once per browser, and limits wrong ones like logins', async () => {
  const { secret, hasPassword } = await create({ password: 'seagull' })
  expect(hasPassword).toBe(true)
  await expect(open(secret)).rejects.toMatchObject({ reason: 'share_password_required' })
  await expect(open(secret, { password: 'gull' })).rejects.toMatchObject({ reason: 'share_password_wrong' })
  const { visit } = await open(secret, { password: 'seagull' })
  expect((await open(secret, { visit })).visit).toBe(visit)
  const refusals: unknown[] = []
  for (let attempt = 0; attempt < 3; attempt += 1)
    refusals.push(await open(secret, { password: `gull${attempt}` }).catch((error: unknown) => error))
  expect(refusals.at(-1)).toMatchObject({ code: 'too_many_requests' })
  // a browser that has opened it keeps watching
  expect((await open(secret, { visit })).visit).toBe(visit)
})

test('is found by no other secret', async () => {
  const { secret } = await create()
  const guesses = [secret.slice(0, -1), `${secret}x`, secret.toUpperCase(), `%`, `${secret.slice(0, -1)}_`]
  for (const guess of guesses)
    await expect(open(guess)).rejects.toMatchObject({ status: expect.toBeOneOf([400, 404, 410]) })
})

test('counts browsers, and ends after the number it is for', async () => {
  const { secret, _id } = await create({ maxViewers: 2 })
  const first = await open(secret)
  await open(secret)
  await expect(open(secret)).rejects.toMatchObject({ reason: 'share_link_used_up' })
  expect((await open(secret, { visit: first.visit })).visit).toBe(first.visit)
  expect(await statusOf(first.video.streamUrl)).toBe(200)
  const links = await owner.client.call(listShareLinks, { params: { id } })
  expect(links.find((link) => link._id === _id)).toMatchObject({ viewers: 2, maxViewers: 2 })
})

test('counts a view when the video plays, until the link is revoked', async () => {
  const views = async () => (await owner.client.call(getOwnVideo, { params: { id } })).views
  const { secret, _id } = await create()
  const before = await views()
  const { visit } = await open(secret)
  expect(await views()).toBe(before)
  const viewer = site.client()
  await viewer.call(recordSharedView, { body: { visit } })
  expect(await views()).toBe(before + 1)
  await owner.client.call(deleteShareLink, { params: { id, linkId: _id } })
  await expect(viewer.call(recordSharedView, { body: { visit } })).rejects.toMatchObject({
    reason: 'share_link_gone',
  })
})

test('forgets a browser that has not opened its link for a month', async () => {
  const { secret } = await create()
  const { visit, video } = await open(secret)
  site.clock.advance(31 * 24 * 3600_000)
  await deleteOldVisits.handle({}, site.context, AbortSignal.timeout(60_000))
  expect(await statusOf(video.streamUrl)).toBe(404)
  expect((await open(secret, { visit })).visit).not.toBe(visit)
})
