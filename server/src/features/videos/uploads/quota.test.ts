import { changeQuota } from '@kinora/contract/operations/people.ts'
import { listAuditLog } from '@kinora/contract/operations/administration.ts'
import { putSiteSettings, type SiteSettingsChanges } from '@kinora/contract/operations/site.ts'
import { getUploadQuota } from '@kinora/contract/videos/uploads.ts'
import { deleteVideo } from '@kinora/contract/videos/video-deletion.ts'
import { expect, onTestFinished, test } from 'vitest'
import { drawFile } from '@kinora/media/testing/draw-file.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { append, begin, publish, tus, uploadForm, uploads } from '../../../testing/fixtures/test-uploads.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { updateRole } from '../../accounts/users/queries.ts'

/** A site with a quota, and an account on it. */
async function createSite(settings: Record<string, string>) {
  const site = await createTestApp({ settings })
  onTestFinished(() => site.close())
  const { client, user } = await signUp(site)
  const video = await drawClip('mp4')
  const sendForm = async () => client.post('/api/v1/video/upload', await uploadForm({}, video))
  return { site, client, user, video, sendForm }
}

test('rejects videos above QUOTA_VIDEOS, at the start of the upload and when publishing', async () => {
  const { site, client, video, sendForm } = await createSite({ QUOTA_VIDEOS: '1' })
  const path = await begin(client, video.length)
  expect((await append(client, path, 0, video)).status).toBe(204)
  expect((await sendForm()).status).toBe(201)
  const message = 'This upload exceeds your quota of 1 video. You use 1 video. Delete a video to make room.'
  for (const { status, body } of [await publish(client, path), await sendForm()])
    expect([status, body]).toEqual([413, expect.objectContaining({ code: 'too_large', message })])
  expect((await tus(client, 'POST', uploads, { 'upload-length': '10' })).status).toBe(413)
  expect(await site.context.metrics.registry.metrics()).toContain(
    'kinora_uploads_rejected_total{reason="quota"} 3\n',
  )

  const other = (await signUp(site)).client
  expect((await tus(other, 'POST', uploads, { 'upload-length': '10' })).status).toBe(201)
  // the rejected upload can be published once there is room
  await site.db.deleteFrom('videos').execute()
  expect((await publish(client, path)).status).toBe(201)
})

test('counts declared sizes of unfinished uploads against QUOTA_BYTES', async () => {
  const { client } = await createSite({ QUOTA_BYTES: '1000000' })
  const first = await begin(client, 600_000)
  const refusal = await tus(client, 'POST', uploads, { 'upload-length': '400001' })
  expect([refusal.status, await refusal.json()]).toEqual([
    413,
    expect.objectContaining({ message: expect.stringContaining('your quota of 1.0 MB') }),
  ])
  await begin(client, 400_000)
  await tus(client, 'DELETE', first)
  await begin(client, 600_000)
})

test('counts a replacement instead of the file that it replaces', async () => {
  const { site, client, video, sendForm } = await createSite({ QUOTA_VIDEOS: '1', QUOTA_BYTES: '1000000' })
  expect((await sendForm()).status).toBe(201)
  const { id } = await site.db.selectFrom('videos').select('id').executeTakeFirstOrThrow()
  await site.db.updateTable('videos').set({ sizeBytes: 900_000 }).execute()
  const start = async (from: TestClient, replaces: string, sizeBytes: number) => {
    const replacing = `replaces ${Buffer.from(replaces).toString('base64')}`
    const headers = { 'upload-length': String(sizeBytes), 'upload-metadata': replacing }
    return tus(from, 'POST', uploads, headers)
  }
  expect((await start(client, id, 1_000_001)).status).toBe(413)
  const begun = await start(client, id, video.length)
  expect(begun.status).toBe(201)
  // the same file is replaced only once
  expect((await start(client, id, 1_000_000)).status).toBe(413)
  // a video that is not there, or somebody else's, makes no room
  expect((await start(client, 'unknown', 10)).status).toBe(413)
  const other = (await signUp(site)).client
  expect((await other.post('/api/v1/video/upload', await uploadForm({}, video))).status).toBe(201)
  expect((await start(other, id, 10)).status).toBe(413)

  const path = begun.headers.get('location') ?? ''
  expect((await append(client, path, 0, video)).status).toBe(204)
  const uploadId = path.split('/').at(-1) ?? ''
  const { status } = await client.put(`/api/v1/studio/videos/${id}/file`, { uploadId })
  expect(status).toBe(200)
})

test('rejects videos above QUOTA_HOURS', async () => {
  const { site, user, sendForm } = await createSite({ QUOTA_HOURS: '1' })
  expect((await sendForm()).status).toBe(201)
  await site.db.updateTable('videos').set({ durationSeconds: 3599 }).where('ownerId', '=', user._id).execute()
  const { status, body } = await sendForm()
  expect([status, body.message]).toEqual([413, expect.stringContaining('your quota of 1 hour of video')])
})

test('an own quota comes before that of the site, is shown, and named in the refusal', async () => {
  const { site, client, user, sendForm } = await createSite({ QUOTA_VIDEOS: '100' })
  const administrator = await signUp(site)
  await updateRole(site.db, administrator.user._id, 'administrator')
  const change = (quotaVideos: number | null) =>
    administrator.client.call(changeQuota, {
      params: { username: user.username },
      body: { quotaBytes: null, quotaVideos },
    })
  expect(await client.call(getUploadQuota, {})).toMatchObject({ quotaVideos: 100, usedVideos: 0 })
  expect(await change(1)).toMatchObject({ quotaVideos: 1 })
  const query = { text: 'change_quota', limit: 1 }
  const logged = async () => (await administrator.client.call(listAuditLog, { query })).entries[0]
  expect(await logged()).toMatchObject({ subject: user.username, details: 'videos: 1' })
  expect((await sendForm()).status).toBe(201)
  expect(await client.call(getUploadQuota, {})).toMatchObject({ quotaVideos: 1, usedVideos: 1 })
  expect(await sendForm()).toMatchObject({
    status: 413,
    body: {
      message: 'This upload exceeds your quota of 1 video. You use 1 video. Delete a video to make room.',
    },
  })
  await change(null)
  expect(await logged()).toMatchObject({ details: 'quota of the site' })
  expect((await sendForm()).status).toBe(201)
})

test('administrators set the quota of the site, unless the environment does', async () => {
  const { site, client, sendForm } = await createSite({ QUOTA_HOURS: '1' })
  const administrator = await signUp(site)
  await updateRole(site.db, administrator.user._id, 'administrator')
  const put = (body: SiteSettingsChanges) => administrator.client.call(putSiteSettings, { body })
  const { settings, fixed } = await put({ quotaVideos: 1, quotaDailyBytes: 9_000_000 })
  expect(settings).toMatchObject({ quotaVideos: 1, quotaHours: 1, quotaBytes: null })
  expect(fixed).toEqual(['quotaHours'])
  expect(await client.call(getUploadQuota, {})).toMatchObject({
    quotaBytes: null,
    quotaVideos: 1,
    quotaHours: 1,
    quotaDailyBytes: 9_000_000,
    quotaVideoMinutes: null,
  })
  expect(await (await client.fetch('/upload')).text()).toContain('&quot;quotaVideos&quot;:1,')
  expect((await sendForm()).status).toBe(201)
  expect((await sendForm()).status).toBe(413)
  await put({ quotaVideos: null })
  expect((await sendForm()).status).toBe(201)
  await expect(put({ quotaHours: 2 })).rejects.toMatchObject({
    status: 409,
    errors: [{ path: 'quotaHours' }],
  })
  await expect(put({ quotaVideos: 0 })).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'quotaVideos' }],
  })
})

const start = (client: TestClient, sizeBytes: number) =>
  tus(client, 'POST', uploads, { 'upload-length': String(sizeBytes) })

const uploadIdOf = (path: string) => path.split('/').at(-1) ?? ''

const storedSources = async ({ storage }: TestApp) => {
  const found = []
  for await (const source of storage.list('sources/')) found.push(source)
  return found
}

const hourMs = 3600 * 1000

const statusesOf = (responses: { status: number }[]) =>
  responses.map(({ status }) => status).toSorted((a, b) => a - b)

test('counts uploads of 24 hours against QUOTA_DAILY_BYTES, deleted ones too', async () => {
  const video = await drawClip('mp4')
  const daily = 2 * video.length
  const { site, client, sendForm } = await createSite({ QUOTA_DAILY_BYTES: String(daily) })
  const first = await sendForm()
  expect(first.status).toBe(201)
  const begunAt = site.clock.now()
  site.clock.advance(23 * hourMs)
  const path = await begin(client, video.length)
  expect((await append(client, path, 0, video)).status).toBe(204)
  // counted at its beginning, and not again
  expect((await publish(client, path)).status).toBe(201)
  for (const { id } of await site.db.selectFrom('videos').select('id').execute())
    await client.call(deleteVideo, { params: { id } })
  const { status, body, headers } = await sendForm()
  expect([status, headers.get('retry-after')]).toEqual([413, '3600'])
  expect(body.message).toMatch(
    /^This upload exceeds your daily quota of .+ You uploaded .+ in the last 24 hours\. There is room for it in 60 minutes\.$/,
  )
  const begun = await start(client, 10)
  expect([begun.status, begun.headers.get('retry-after')]).toEqual([413, '3600'])
  expect(await client.call(getUploadQuota, {})).toMatchObject({
    quotaDailyBytes: daily,
    usedDailyBytes: daily,
    usedVideos: 0,
    dailyBytesFreeAt: new Date(begunAt.getTime() + 24 * hourMs).toISOString(),
  })
  expect((await start(client, daily + 1)).headers.get('retry-after')).toBeNull()
  site.clock.advance(hourMs)
  expect((await sendForm()).status).toBe(201)
})

test('a cancelled upload counts the bytes that were received', async () => {
  const { client } = await createSite({ QUOTA_DAILY_BYTES: '1000' })
  const path = await begin(client, 1000)
  await append(client, path, 0, Buffer.alloc(100))
  expect((await start(client, 1)).status).toBe(413)
  expect((await tus(client, 'DELETE', path)).status).toBe(204)
  expect(await client.call(getUploadQuota, {})).toMatchObject({ usedDailyBytes: 100 })
  await begin(client, 900)
})

test('parallel uploads cannot exceed QUOTA_DAILY_BYTES together, and refused ones leave no bytes', async () => {
  const video = await drawClip('mp4')
  const { site, client, sendForm } = await createSite({
    QUOTA_DAILY_BYTES: String(Math.round(2.5 * video.length)),
  })
  const forms = await Promise.all([sendForm(), sendForm(), sendForm(), sendForm()])
  expect(statusesOf(forms)).toEqual([201, 201, 413, 413])
  await expect.poll(() => storedSources(site)).toHaveLength(2)

  const other = (await signUp(site)).client
  const begun = await Promise.all([1, 2, 3, 4].map(() => start(other, video.length)))
  expect(statusesOf(begun)).toEqual([201, 201, 413, 413])
  expect(await client.call(getUploadQuota, {})).toMatchObject({ usedDailyBytes: 2 * video.length })
})

test('a replaced file counts for the day', { tags: ['nightly'] }, async () => {
  const video = await drawClip('mp4')
  const { site, client, sendForm } = await createSite({ QUOTA_DAILY_BYTES: String(2 * video.length) })
  expect((await sendForm()).status).toBe(201)
  const { id } = await site.db.selectFrom('videos').select('id').executeTakeFirstOrThrow()
  const path = await begin(client, video.length)
  await append(client, path, 0, video)
  const replaced = await client.put(`/api/v1/studio/videos/${id}/file`, { uploadId: uploadIdOf(path) })
  expect(replaced.status).toBe(200)
  expect(await client.call(getUploadQuota, {})).toMatchObject({
    usedBytes: video.length,
    usedDailyBytes: 2 * video.length,
  })
  expect((await start(client, 1)).status).toBe(413)
})

test('refuses and deletes a video above the length of its owner, also as a replacement', async () => {
  const long = await drawFile(
    ['-f', 'lavfi', '-i', 'color=red:s=128x72:r=5:d=62', '-c:v', 'libx264', '-pix_fmt', 'yuv420p'],
    'mp4',
  )
  const { site, client, user, sendForm } = await createSite({ QUOTA_VIDEO_MINUTES: '1' })
  const short = await sendForm()
  expect(short.status).toBe(201)
  const message = 'Your videos can be at most 1 minute long, and this one is 1:02. Shorten it and try again.'
  const refusal = [413, expect.objectContaining({ code: 'too_large', message })]
  const form = await client.post('/api/v1/video/upload', await uploadForm({}, long))
  expect([form.status, form.body]).toEqual(refusal)
  const path = await begin(client, long.length)
  await append(client, path, 0, long)
  const published = await publish(client, path)
  expect([published.status, published.body]).toEqual(refusal)
  expect((await tus(client, 'HEAD', path)).status).toBe(404)
  await expect.poll(() => storedSources(site)).toHaveLength(1)

  const { id } = await site.db.selectFrom('videos').select('id').executeTakeFirstOrThrow()
  const replacement = await begin(client, long.length)
  await append(client, replacement, 0, long)
  const replaced = await client.put(`/api/v1/studio/videos/${id}/file`, {
    uploadId: uploadIdOf(replacement),
  })
  expect([replaced.status, replaced.body]).toEqual(refusal)
  expect((await tus(client, 'HEAD', replacement)).status).toBe(404)

  // an own quota comes first, and a change that leaves it out keeps it
  const administrator = await signUp(site)
  await updateRole(site.db, administrator.user._id, 'administrator')
  const change = (quota: { quotaDailyBytes?: number; quotaVideoMinutes?: number }) =>
    administrator.client.call(changeQuota, {
      params: { username: user.username },
      body: { quotaBytes: null, quotaVideos: null, ...quota },
    })
  expect(await change({ quotaVideoMinutes: 2, quotaDailyBytes: 9_000_000 })).toMatchObject({
    quotaVideoMinutes: 2,
  })
  expect(await change({})).toMatchObject({ quotaVideoMinutes: 2, quotaDailyBytes: 9_000_000 })
  expect(await client.call(getUploadQuota, {})).toMatchObject({
    quotaVideoMinutes: 2,
    quotaDailyBytes: 9_000_000,
  })
  expect((await client.post('/api/v1/video/upload', await uploadForm({}, long))).status).toBe(201)
})
