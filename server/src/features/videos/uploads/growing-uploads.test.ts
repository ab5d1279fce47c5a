import { listUnfinishedUploads, saveUploadDraft } from '@kinora/contract/videos/uploads.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import {
  append,
  offsetOf,
  publish,
  startPiece,
  tus,
  uploads,
} from '../../../testing/fixtures/test-uploads.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { clearStale } from './actions/clear-stale.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({ settings: { PREPARE_POLICY: 'none' } })
})
afterAll(() => site.close())

const kilobyte = 1024
const idOf = (path: string) => path.split('/').at(-1) ?? ''

/** Starts an upload of unknown length, like a recording; returns its path. */
async function beginGrowing(client: TestClient): Promise<string> {
  const { headers } = await tus(client, 'POST', uploads, { 'upload-defer-length': '1' })
  const path = headers.get('location') ?? ''
  const draft = { title: 'Lesson', description: '', visibility: 'private' as const }
  await client.call(saveUploadDraft, { params: { id: idOf(path) }, body: draft })
  return path
}

/** Declares that an upload ends where it is. */
const endAt = (client: TestClient, path: string, length: number) =>
  tus(client, 'PATCH', path, {
    'upload-offset': String(length),
    'upload-length': String(length),
    'content-type': 'application/offset+octet-stream',
  })

async function countedBytesOf(path: string): Promise<number | undefined> {
  const row = await site.db
    .selectFrom('uploadedBytes')
    .select('bytes')
    .where('uploadId', '=', idOf(path))
    .executeTakeFirst()
  return row?.bytes
}

const limit = (username: string, quota: { quotaBytes?: number; quotaDailyBytes?: number }) =>
  site.db.updateTable('users').set(quota).where('username', '=', username).execute()

test('an upload that grows is offered, ended where it is, and published', async () => {
  const { client } = await signUp(site)
  const clip = await drawClip('mp4, fragmented')
  const path = await beginGrowing(client)
  const half = Math.floor(clip.length / 2)
  await append(client, path, 0, clip.subarray(0, half))
  const [unfinished] = await client.call(listUnfinishedUploads, {})
  expect(unfinished).toMatchObject({ title: 'Lesson', receivedBytes: half, sizeBytes: half, isGrowing: true })
  await append(client, path, half, clip.subarray(half))
  expect((await publish(client, path)).status).toBe(409)
  expect((await endAt(client, path, clip.length)).status).toBe(204)
  const { status, body } = await publish(client, path, { visibility: 'private' })
  expect(status).toBe(201)
  expect(body.data as Video).toMatchObject({ visibility: 'private', duration: 2 })
  expect(await countedBytesOf(path)).toBe(clip.length)
})

test('a recording whose tab was closed between two fragments, or inside of one, is published as far as it goes', async () => {
  const { client } = await signUp(site)
  const clip = await drawClip('mp4, fragmented')
  const received = Math.floor(clip.length * 0.8)
  const path = await beginGrowing(client)
  await append(client, path, 0, clip.subarray(0, received))
  await endAt(client, path, await offsetOf(client, path))
  const { status, body } = await publish(client, path)
  expect(status).toBe(201)
  expect((body.data as Video).duration).toBeGreaterThan(1)
})

test('counts an upload while it grows, against all bytes and those of the day', async () => {
  for (const quota of [{ quotaBytes: 100 * kilobyte }, { quotaDailyBytes: 100 * kilobyte }]) {
    const { client, user } = await signUp(site)
    await limit(user.username, quota)
    const [path, other] = [await beginGrowing(client), await beginGrowing(client)]
    expect((await append(client, path, 0, Buffer.alloc(60 * kilobyte))).status).toBe(204)
    expect((await append(client, other, 0, Buffer.alloc(30 * kilobyte))).status).toBe(204)
    const refused = await append(client, path, 60 * kilobyte, Buffer.alloc(20 * kilobyte))
    expect([refused.status, await refused.json()]).toEqual([
      413,
      expect.objectContaining({ reason: expect.stringMatching(/^quota_/) }),
    ])
    // what was received stays, and what has room is still accepted
    expect(await offsetOf(client, path)).toBe(60 * kilobyte)
    expect((await append(client, path, 60 * kilobyte, Buffer.alloc(10 * kilobyte))).status).toBe(204)
    expect((await endAt(client, path, 70 * kilobyte)).status).toBe(204)
  }
})

test('concurrent requests cannot exceed a quota together', async () => {
  const { client, user } = await signUp(site)
  await limit(user.username, { quotaBytes: 100 * kilobyte })
  const paths = [await beginGrowing(client), await beginGrowing(client), await beginGrowing(client)]
  const responses = await Promise.all(
    paths.map((path) => append(client, path, 0, Buffer.alloc(40 * kilobyte))),
  )
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 204, 413])
})

test('with a quota, bytes of unknown number are refused', async () => {
  const { client, user } = await signUp(site)
  await limit(user.username, { quotaBytes: 100 * kilobyte })
  const headers = { 'upload-defer-length': '1', 'content-type': 'application/offset+octet-stream' }
  expect((await tus(client, 'POST', uploads, headers, Buffer.alloc(10))).status).toBe(400)
  const path = await beginGrowing(client)
  const stream = new Blob([Buffer.alloc(10)]).stream()
  const streamed = await client.fetch(path, {
    method: 'PATCH',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: stream,
    duplex: 'half',
  })
  expect(streamed.status).toBe(400)
})

test('a discarded upload counts for the day what was received', async () => {
  const { client } = await signUp(site)
  const path = await beginGrowing(client)
  await append(client, path, 0, Buffer.alloc(5 * kilobyte))
  await tus(client, 'DELETE', path)
  expect(await countedBytesOf(path)).toBe(5 * kilobyte)
})

test('keeps an interrupted recording for a week', async () => {
  const { client } = await signUp(site)
  const path = await beginGrowing(client)
  await append(client, path, 0, Buffer.alloc(10))
  const later = (days: number) => ({ now: () => new Date(Date.now() + days * 86_400_000) })
  await clearStale({ ...site.context, clock: later(6) })
  expect(await offsetOf(client, path)).toBe(10)
  await clearStale({ ...site.context, clock: later(8) })
  expect((await tus(client, 'HEAD', path)).status).toBe(404)
})

test('refuses lengths that are no number of bytes, or too large, and counts nothing of them', async () => {
  const { client } = await signUp(site)
  const path = await beginGrowing(client)
  await append(client, path, 0, Buffer.alloc(10))
  for (const [length, status] of [
    ['abc', 400],
    ['1.5', 400],
    ['-1', 400],
    ['1e3', 400],
    ['999999999999999', 413],
  ] as const) {
    const headers = { 'upload-offset': '10', 'content-type': 'application/offset+octet-stream' }
    const refused = await tus(client, 'PATCH', path, { ...headers, 'upload-length': length })
    expect([length, refused.status]).toEqual([length, status])
  }
  expect(await countedBytesOf(path)).toBe(10)
})

test('keeps what one request has reserved when another one asks for less', async () => {
  const { client } = await signUp(site)
  const path = await beginGrowing(client)
  const sending = startPiece(client, path, 0, 50 * kilobyte)
  sending.write(Buffer.alloc(10 * kilobyte))
  await expect.poll(() => countedBytesOf(path)).toBe(50 * kilobyte)
  await append(client, path, 0, Buffer.alloc(0))
  expect(await countedBytesOf(path)).toBe(50 * kilobyte)
  sending.destroy()
  // exact as soon as the upload is complete
  const received = await offsetOf(client, path)
  await endAt(client, path, received)
  expect(await countedBytesOf(path)).toBe(received)
})

test('at most five recordings of an account are unfinished', async () => {
  const { client } = await signUp(site)
  const [first = ''] = await Promise.all(Array.from({ length: 5 }, () => beginGrowing(client)))
  const refused = await tus(client, 'POST', uploads, { 'upload-defer-length': '1' })
  expect([refused.status, await refused.json()]).toEqual([
    429,
    expect.objectContaining({ reason: 'growing_upload_limit' }),
  ])
  // a file of known length has room, and so has a recording after another one ended
  expect((await tus(client, 'POST', uploads, { 'upload-length': '5' })).status).toBe(201)
  await append(client, first, 0, Buffer.alloc(10))
  await endAt(client, first, 10)
  expect((await tus(client, 'POST', uploads, { 'upload-defer-length': '1' })).status).toBe(201)
})
