import type { Video } from '@kinora/contract/videos/videos.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'

let site: TestApp
let ines: TestClient
let stranger: TestClient

beforeAll(async () => {
  site = await createTestApp({ settings: { PREPARE_POLICY: 'none' } })
  ines = (await signUp(site, { username: 'ines' })).client
  stranger = (await signUp(site, { username: 'stranger' })).client
})
afterAll(() => site.close())

const drafts = '/api/v1/studio/uploads'
const encoded = (text: string) => Buffer.from(text).toString('base64')

async function begin(sizeBytes: number): Promise<string> {
  const { headers } = await ines.fetch('/api/v1/uploads', {
    method: 'POST',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': String(sizeBytes),
      'upload-metadata': `filename ${encoded('ice road.mp4')}`,
    },
  })
  return headers.get('location')?.split('/').at(-1) ?? ''
}

const save = (client: TestClient, id: string, draft: object) =>
  client.fetch(`${drafts}/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(draft),
  })

test('a draft is offered to its owner until the video is published without description and thumbnail', async () => {
  const clip = await drawClip('mp4')
  const id = await begin(clip.length)
  expect((await ines.get(drafts)).body.data).toEqual([])
  const draft = { title: 'Ice road', description: '', visibility: 'unlisted' }
  expect((await save(ines, id, { ...draft, title: 'First' })).status).toBe(200)
  expect((await save(ines, id, draft)).status).toBe(200)
  expect((await save(stranger, id, draft)).status).toBe(403)
  const expected = {
    _id: id,
    ...draft,
    fileName: 'ice road.mp4',
    sizeBytes: clip.length,
    receivedBytes: 0,
    isGrowing: false,
    uploader: null,
  }
  expect((await ines.get(drafts)).body.data).toEqual([expected])
  expect((await stranger.get(drafts)).body.data).toEqual([])

  await ines.fetch(`/api/v1/uploads/${id}`, {
    method: 'PATCH',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: new Uint8Array(clip),
  })
  const form = new FormData()
  form.set('title', 'Ice road')
  form.set('visibility', 'unlisted')
  const published = await ines.post(`/api/v1/uploads/${id}/publish`, form)
  expect([published.status, published.body.message]).toEqual([201, 'Video uploaded'])
  const video = published.body.data as Video
  expect(video).toMatchObject({ title: 'Ice road', description: '', visibility: 'unlisted' })
  const thumbnail = await fetch(site.origin + video.thumbnail)
  expect(thumbnail.status).toBe(200)
  expect((await thumbnail.arrayBuffer()).byteLength).toBeGreaterThan(500)
  expect((await ines.get(drafts)).body.data).toEqual([])
})

test('a draft of a deleted upload is not offered', async () => {
  const id = await begin(1000)
  await save(ines, id, { title: 'Tide', description: 'Low', visibility: 'private' })
  await ines.fetch(`/api/v1/uploads/${id}`, { method: 'DELETE', headers: { 'tus-resumable': '1.0.0' } })
  expect((await ines.get(drafts)).body.data).toEqual([])
})
