import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import {
  append,
  begin,
  videoWithTags,
  publish,
  sourceOf,
  uploadForm,
} from '../../../testing/fixtures/test-uploads.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { hiddenKey } from '../../../context/storage-keys.ts'

let site: TestApp
let client: TestClient
let video: Buffer

beforeAll(async () => {
  site = await createTestApp()
  client = (await signUp(site)).client
  video = await videoWithTags('filmed at 5 Rue Secrete', 'tags')
})
afterAll(() => site.close())

async function uploadWhole(fields: Record<string, string> = {}): Promise<Video> {
  const { status, body } = await client.post('/api/v1/video/upload', await uploadForm(fields, video))
  expect(status).toBe(201)
  return body.data as Video
}

async function uploadResumably(fields: Record<string, string> = {}): Promise<Video> {
  const path = await begin(client, video.length)
  await append(client, path, 0, video)
  const { status, body } = await publish(client, path, fields)
  expect(status).toBe(201)
  return body.data as Video
}

test.each([
  ['in one request', uploadWhole],
  ['resumably', uploadResumably],
])('blanks the tags of a video uploaded %s, unless the sender keeps them', async (_, send) => {
  const blanked = await sourceOf(client, await send())
  expect([blanked.length, blanked.includes('Secrete')]).toEqual([video.length, false])
  expect(blanked.subarray(0, -72).equals(video.subarray(0, -72))).toBe(true)
  const kept = await sourceOf(client, await send({ keepMetadata: 'true' }))
  expect(kept.equals(video)).toBe(true)
  const declined = await sourceOf(client, await send({ keepMetadata: 'false' }))
  expect(declined.equals(blanked)).toBe(true)
})

test.each([
  ['in one request', uploadWhole],
  ['resumably', uploadResumably],
])('hides a video that is uploaded %s as private, and lists it as new once it is public', async (_, send) => {
  const earlier = site.clock.now()
  const { _id, visibility, thumbnail, createdAt } = await send({ visibility: 'private' })
  expect([visibility, new Date(createdAt) >= earlier]).toEqual(['private', true])
  const statuses = (visitor: TestClient) =>
    Promise.all([`/api/v1/video/${_id}`, thumbnail].map(async (path) => (await visitor.get(path)).status))
  expect([await statuses(site.client()), await statuses(client)]).toEqual([
    [404, 404],
    [200, 200],
  ])
  for (const mark of [_id, thumbnail.split('/').at(-2) ?? ''])
    expect(await site.storage.head(hiddenKey(mark))).toBeDefined()
  const later = new Date(Date.now() + 3600_000)
  site.clock.set(later)
  await client.patch(`/api/v1/studio/videos/${_id}`, { visibility: 'public' })
  const published = await client.get(`/api/v1/video/${_id}`)
  expect((published.body.data as Video[])[0]?.createdAt).toBe(later.toISOString())
  expect(await statuses(site.client())).toEqual([200, 200])
})

test('rejects an unknown value of a choice without leaving files', async () => {
  const response = await client.post(
    '/api/v1/video/upload',
    await uploadForm({ keepMetadata: 'maybe' }, video),
  )
  expect([response.status, response.body.message]).toEqual([400, 'keepMetadata is either true or false'])
  expect(await readdir(join(site.context.config.dataDir, 'incoming'))).toEqual([])
})
