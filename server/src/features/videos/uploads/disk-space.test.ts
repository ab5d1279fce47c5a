import { statfs } from 'node:fs/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { reportDisk } from '../../operations/health/actions/disk.ts'
import { DiskSpace, type FileSystem } from '@kinora/platform/files/disk-space.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import {
  append,
  begin,
  videoOf,
  offsetOf,
  publish,
  tus,
  uploadForm,
  uploads,
} from '../../../testing/fixtures/test-uploads.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'

const gigabyte = 1e9

/** A disk of this many bytes, in blocks of 1 kB. */
const diskOf = (sizeBytes: number, freeBytes: number): FileSystem => ({
  blocks: sizeBytes / 1000,
  bavail: freeBytes / 1000,
  bsize: 1000,
})

let site: TestApp
let ines: TestClient
/** Replaces the reported disk space; undefined uses the real one. */
let pretended: FileSystem | undefined
let reads = 0

beforeAll(async () => {
  site = await createTestApp({
    settings: { UPLOAD_MAX_BYTES: String(Number.MAX_SAFE_INTEGER) },
    disk: new DiskSpace('/tmp', (directory) => {
      reads += 1
      return pretended ? Promise.resolve(pretended) : statfs(directory)
    }),
  })
  ines = (await signUp(site)).client
})
afterAll(() => site.close())

test.each([
  ['2 % of a small disk', 10 * gigabyte, 0.2 * gigabyte],
  ['1 GB of a large disk', 1000 * gigabyte, gigabyte],
])('rejects new uploads below %s', async (_, sizeBytes, floorBytes) => {
  const video = await videoOf(300_000)
  pretended = diskOf(sizeBytes, floorBytes + gigabyte)
  const path = await begin(ines, video.length)

  pretended = diskOf(sizeBytes, floorBytes - 1000)
  const sendForm = async () => ines.post('/api/v1/video/upload', await uploadForm({}, await drawClip('mp4')))
  const refusals = [
    await tus(ines, 'POST', uploads, { 'upload-length': '10' }),
    await append(ines, path, 0, video),
  ]
  for (const refusal of refusals)
    expect([refusal.status, await refusal.json()]).toEqual([
      503,
      expect.objectContaining({
        code: 'unavailable',
        message: expect.stringMatching(/short of disk space .* Try again later/),
      }),
    ])
  expect((await sendForm()).status).toBe(503)
  expect(await site.context.metrics.registry.metrics()).toMatch(
    /kinora_uploads_rejected_total\{reason="disk"\} [36]\n/,
  )
  const readiness = await (await ines.fetch('/readyz')).json()
  expect(readiness).toMatchObject({
    status: 'ready',
    degraded: { disk: expect.stringContaining('refused below') },
  })

  pretended = diskOf(sizeBytes, floorBytes + gigabyte)
  expect(await offsetOf(ines, path)).toBe(0)
  expect((await append(ines, path, 0, video)).status).toBe(204)
  expect((await publish(ines, path)).status).toBe(201)
  expect((await sendForm()).status).toBe(201)
  expect(await (await ines.fetch('/readyz')).json()).not.toHaveProperty('degraded')
})

test('rejects a declared size that does not fit on the real disk', async () => {
  pretended = undefined
  const refusal = await tus(ines, 'POST', uploads, { 'upload-length': String(5e15) })
  expect([refusal.status, await refusal.json()]).toEqual([
    413,
    expect.objectContaining({ message: expect.stringContaining('no disk space for a file of 5000.0 TB') }),
  ])
  expect((await tus(ines, 'POST', uploads, { 'upload-length': '1000' })).status).toBe(201)
})

/** Starts a resumable upload, sends its first bytes and then stalls. */
async function stall(client: TestClient, headers: Record<string, string> = {}) {
  const readsBefore = reads
  const end = new AbortController()
  onTestFinished(() => end.abort())
  const video = new Uint8Array(await videoOf(300_000))
  const response = client.fetch(uploads, {
    method: 'POST',
    headers: { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream', ...headers },
    body: new ReadableStream({ start: (sending) => sending.enqueue(video) }),
    duplex: 'half',
    signal: end.signal,
  })
  response.catch(() => undefined)
  // the disk is checked when an upload starts, and every second while it runs
  await expect.poll(() => reads - readsBefore).toBeGreaterThan(1)
  return { response, end: () => end.abort() }
}

test('rejects an upload if uploads in progress need the remaining disk space', async () => {
  const { client } = await signUp(site)
  pretended = diskOf(1000 * gigabyte, 2 * gigabyte)
  const declared = { 'upload-length': String(0.6 * gigabyte) }
  const declare = async () => {
    const response = await tus(client, 'POST', uploads, declared)
    // an account may have a hundred unfinished uploads
    if (response.ok) await tus(client, 'DELETE', response.headers.get('location') ?? '')
    return response.status
  }
  expect(await declare()).toBe(201)

  const { end } = await stall(client, declared)
  await expect.poll(declare).toBe(503)
  const small = await uploadForm({}, await drawClip('mp4'))
  expect((await client.post('/api/v1/video/upload', small)).status).toBe(201)

  end()
  await expect.poll(declare).toBe(201)
})

test('aborts an upload in progress when the disk is nearly full', async () => {
  const { client } = await signUp(site)
  pretended = diskOf(1000 * gigabyte, 2 * gigabyte)
  const { response } = await stall(client, { 'upload-length': '1000000' })
  pretended = diskOf(1000 * gigabyte, 0.4 * gigabyte)
  expect((await response).status).toBe(503)
})

test.each([
  ['bad', 0.9, 'disk.full', 'Uploads are rejected below 1.0 GB'],
  ['bad', 2, 'disk.low', 'Uploads will be rejected soon'],
  ['good', 20, 'disk.free', '20.0 GB of 1.0 TB are free'],
] as const)('doctor reports a disk as %s with %f GB free', (state, free, code, says) => {
  const found: unknown[] = []
  reportDisk(diskOf(1000 * gigabyte, free * gigabyte), (...finding) => void found.push(finding))
  expect(found).toEqual([[code, state, expect.stringContaining(says)]])
})
