import {
  createLiveKey,
  endOwnLiveStream,
  getLiveChannel,
  putLiveTemplate,
} from '@kinora/contract/live/live-streams.ts'
import { createTestBucket, hasNoStore, keysBelow } from '@kinora/platform/testing/test-bucket.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { startTestIngest, stopEncoder, type TestIngest } from '../../../testing/fixtures/test-ingest.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { updateRole } from '../../accounts/users/queries.ts'

describe.skipIf(hasNoStore)('live streams on a bucket', () => {
  let site: TestApp
  let ingest: TestIngest

  beforeAll(async () => {
    const settings = { ...(await createTestBucket()), LIVE: 'true' }
    site = await createTestApp({ worker: true, settings, constants: { liveEncodingSpeed: 0 } })
    ingest = await startTestIngest(site)
  })
  afterAll(async () => {
    await ingest.stop()
    await site.close()
  })

  const read = async (path: string) => {
    const response = await fetch(site.origin + path)
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const playlistOf = async (videoId: string, track = 'source') =>
    (await read(`/media/live/${videoId}/${track}/index.m3u8`)).bytes.toString()
  const countSegments = (playlist: string) => playlist.split('#EXTINF').length - 1

  test('stores each part as an object, and joins them when the stream has ended', async () => {
    const { client, user } = await signUp(site)
    await updateRole(site.db, user._id, 'administrator')
    const body = { title: 'Bucket', description: '', visibility: 'public', keepsRecording: true } as const
    await client.call(putLiveTemplate, { body })
    const { key } = await client.call(createLiveKey, {})
    const stream = async () => (await client.call(getLiveChannel, {})).stream

    const encode = () => ingest.encode(key ?? '', { size: '640x360' })
    const encoder = encode()
    await expect.poll(async () => (await stream())?.isConnected).toBe(true)
    const videoId = (await stream())?.videoId ?? ''
    await expect.poll(async () => countSegments(await playlistOf(videoId))).toBeGreaterThan(2)
    expect((await keysBelow(site.storage, `live/${videoId}/`)).length).toBeGreaterThan(2)
    const near = async () => (await read(`/media/live/${videoId}/source/low-latency.m3u8`)).bytes.toString()
    await expect.poll(near).toMatch(/PRELOAD-HINT:TYPE=PART,URI="\d+\.[1-9]/)
    const [, chunk = ''] = [...(await near()).matchAll(/PART:.*URI="(.+?)"/g)].at(-1) ?? []
    expect((await read(`/media/live/${videoId}/source/${chunk}`)).status).toBe(200)
    // another connection continues with the next object
    await stopEncoder(encoder)
    await expect.poll(async () => (await stream())?.isConnected).toBe(false)
    const before = countSegments(await playlistOf(videoId))
    encode()
    await expect.poll(async () => countSegments(await playlistOf(videoId))).toBeGreaterThan(before + 1)
    const files = ['source/0.m4s', `source/${before}.m4s`, 'audio-0/1.m4s']
    const parts = await Promise.all(files.map((file) => read(`/media/live/${videoId}/${file}`)))
    expect(parts.map(({ status }) => status)).toEqual([200, 200, 200])
    await expect.poll(async () => (await read(`/media/live/${videoId}/144/1.m4s`)).status).toBe(200)

    await client.call(endOwnLiveStream, {})
    const video = () =>
      site.db
        .selectFrom('videos')
        .select(['isLive', 'processingReason'])
        .where('id', '=', videoId)
        .executeTakeFirst()
    await expect.poll(video).toEqual({ isLive: false, processingReason: null })
    expect(await keysBelow(site.storage, `sources/${videoId}/`)).toHaveLength(1)
    expect((await read(`/media/videos/${videoId}/master.m3u8`)).bytes.toString()).toContain(
      'source/index.m3u8',
    )
    // those who still watch the end get the same parts out of the recording
    await site.storage.delete(`live/${videoId}/`)
    for (const [i, file] of files.entries())
      await expect
        .poll(async () =>
          (await read(`/media/live/${videoId}/${file}`)).bytes.equals(parts[i]?.bytes ?? Buffer.of()),
        )
        .toBe(true)
  })
})
