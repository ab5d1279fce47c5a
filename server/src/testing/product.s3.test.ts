import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { changeOwnVideo } from '@kinora/contract/videos/studio.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bytesOverBudget, evict } from '../features/videos/playback/actions/cache-budget.ts'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import type { BucketSettings } from '@kinora/platform/testing/object-store.ts'
import { createTestApp, type TestApp } from './fixtures/test-app.ts'
import { createTestBucket, hasNoStore, keysBelow } from '@kinora/platform/testing/test-bucket.ts'
import type { TestClient } from './fixtures/test-client.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { append, begin, videoOf, publish, uploadForm } from './fixtures/test-uploads.ts'
import { signUp } from './fixtures/test-users.ts'

/** More than two parts of a multipart upload. */
const largeBytes = 36 * 1024 * 1024

describe.skipIf(hasNoStore).each(['stream', 'redirect'] as const)(
  'the site on a bucket, delivery: %s',
  (delivery) => {
    let bucket: BucketSettings
    let site: TestApp
    let worker: ChildProcess
    let workerDir: string
    let ines: TestClient
    let clip: Buffer

    beforeAll(async () => {
      bucket = await createTestBucket()
      // too little for any segment
      const settings = {
        ...bucket,
        MEDIA_DELIVERY: delivery,
        CACHE_MAX_BYTES: '0',
        SEGMENT_WAIT_SECONDS: '150',
      }
      site = await createTestApp({ settings })
      workerDir = await mkdtemp(path.join(tmpdir(), 'kinora-worker-'))
      worker = spawn(process.execPath, [path.join(import.meta.dirname, '../bin/worker.ts')], {
        env: {
          ...process.env,
          ...bucket,
          DATABASE_URL: site.databaseUrl,
          DATA_DIR: workerDir,
          LOG_LEVEL: 'error',
        },
        stdio: 'inherit',
      })
      ines = (await signUp(site)).client
      clip = await videoOf(largeBytes, 'mp4 of two renditions')
    })
    afterAll(async () => {
      const isRunning = worker.exitCode === null && worker.signalCode === null
      const ended = isRunning ? once(worker, 'exit') : undefined
      worker.kill('SIGTERM')
      await ended
      await site.close()
      await rm(workerDir, { recursive: true, force: true, maxRetries: 10 })
    })

    async function upload(bytes: Buffer): Promise<{ status: number; video: Video }> {
      const { status, body } = await ines.post('/api/v1/video/upload', await uploadForm({}, bytes))
      return { status, video: body.data as Video }
    }

    const at = (id: string, file: string) => `${site.origin}/media/videos/${id}/${file}`

    async function expectPlaying(id: string, bytes: Buffer): Promise<void> {
      expect(await (await fetch(at(id, 'master.m3u8'))).text()).toContain(
        `${SEGMENT_FORMAT}/source/index.m3u8`,
      )
      for (const file of [
        `${SEGMENT_FORMAT}/source/init.mp4`,
        `${SEGMENT_FORMAT}/source/0.m4s`,
        `${SEGMENT_FORMAT}/240/init.mp4`,
        `${SEGMENT_FORMAT}/240/0.m4s`,
        `${SEGMENT_FORMAT}/audio-0/0.m4s`,
      ]) {
        const response = await fetch(at(id, file))
        expect([file, response.status]).toEqual([file, 200])
        expect(response.headers.get('content-type')).toMatch(/^(video|audio)\/mp4$/)
        expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100)
      }
      const sheet = await fetch(at(id, `${SEGMENT_FORMAT}/storyboard2/0.jpg`))
      expect([sheet.status, sheet.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
      await sheet.arrayBuffer()
      const source = await fetch(at(id, 'source.mp4'))
      expect(Buffer.from(await source.arrayBuffer()).equals(bytes)).toBe(true)
    }

    test('an uploaded video is stored in the bucket and plays', async () => {
      const { status, video } = await upload(clip)
      expect(status).toBe(201)
      expect(await keysBelow(site.storage, `sources/${video._id}/`)).toHaveLength(1)
      expect(existsSync(path.join(site.context.config.dataDir, 'storage'))).toBe(false)
      await expect.poll(() => readdir(path.join(site.context.config.dataDir, 'incoming'))).toEqual([])
      await expectPlaying(video._id, clip)
      // deleting the whole cache, here and in the workers' local file caches, breaks nothing
      await site.storage.delete('segments/')
      // while the worker may be copying
      await rm(path.join(workerDir, 'copies'), { recursive: true, force: true, maxRetries: 10 })
      await expectPlaying(video._id, clip)
    })

    test('serves ranges of the file, and 304 for cached ones', async () => {
      const { video } = await upload(await drawClip('mp4 of two renditions'))
      const bytes = await drawClip('mp4 of two renditions')
      const url = at(video._id, 'source.mp4')
      const get = async (headers: Record<string, string>, method = 'GET') => {
        const response = await fetch(url, { method, headers })
        const body = Buffer.from(await response.arrayBuffer())
        return { status: response.status, headers: Object.fromEntries(response.headers), body }
      }
      const size = bytes.length
      for (const [range, start, end] of [
        ['bytes=0-0', 0, 0],
        ['bytes=100-199', 100, 199],
        ['bytes=-7', size - 7, size - 1],
        [`bytes=${size - 5}-${size + 5}`, size - 5, size - 1],
      ] as const) {
        const part = await get({ range })
        expect([part.status, part.headers['content-range']]).toEqual([206, `bytes ${start}-${end}/${size}`])
        expect(part.body.equals(bytes.subarray(start, end + 1))).toBe(true)
        expect(part.headers['content-type']).toBe('video/mp4')
      }
      expect((await get({ range: `bytes=${size}-` })).status).toBe(416)
      const head = await get({}, 'HEAD')
      expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, String(size), 0])
      expect(head.headers).toMatchObject({ 'accept-ranges': 'bytes', 'x-content-type-options': 'nosniff' })
      const etag = head.headers['etag'] ?? ''
      expect((await get({ 'if-none-match': etag })).status).toBe(304)
      expect((await get({ range: 'bytes=0-3', 'if-range': etag })).status).toBe(206)

      const picture = await fetch(new URL(video.thumbnail, site.origin))
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp'])
      expect(picture.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      await picture.arrayBuffer()
    })

    test('the content security policy allows the bucket', async () => {
      const { video } = await upload(await drawClip('mp4 of two renditions'))
      const response = await fetch(new URL(video.thumbnail, site.origin), { redirect: 'manual' })
      await response.arrayBuffer()
      const page = await fetch(site.origin)
      await page.arrayBuffer()
      const policy = page.headers.get('content-security-policy') ?? ''
      const endpoint = new URL(bucket.STORAGE_URL).searchParams.get('endpoint') ?? ''
      const named = ['img-src', 'media-src', 'connect-src'].filter((directive) =>
        new RegExp(`${directive} [^;]*${endpoint}`).test(policy),
      )
      // redirects to segments are not cached, because segments may be evicted
      const sheet = await fetch(at(video._id, `${SEGMENT_FORMAT}/storyboard2/0.jpg`), { redirect: 'manual' })
      await sheet.arrayBuffer()
      const places = [response, sheet].map(({ status, headers }) => ({
        status,
        origin: headers.get('location')?.slice(0, endpoint.length),
        cacheControl: headers.get('cache-control'),
      }))
      const kept = 'public, max-age=31536000, immutable'
      expect({ places, named }).toEqual(
        delivery === 'stream'
          ? {
              places: [
                { status: 200, origin: undefined, cacheControl: kept },
                { status: 200, origin: undefined, cacheControl: kept },
              ],
              named: [],
            }
          : {
              places: [
                { status: 302, origin: endpoint, cacheControl: 'public, max-age=3600' },
                { status: 302, origin: endpoint, cacheControl: 'no-store' },
              ],
              named: ['img-src', 'media-src', 'connect-src'],
            },
      )
    })

    test('files of a private video are sent to its owner by the site, never redirected or cached', async () => {
      const { video } = await upload(await drawClip('mp4 of two renditions'))
      const paths = [
        new URL(video.videoFile, site.origin).pathname,
        video.thumbnail,
        `/media/videos/${video._id}/${SEGMENT_FORMAT}/240/0.m4s`,
      ]
      await ines.call(changeOwnVideo, { params: { id: video._id }, body: { visibility: 'private' } })
      for (const url of paths) {
        const own = await ines.fetch(url, { redirect: 'manual' })
        await own.arrayBuffer()
        expect([url, own.status, own.headers.get('cache-control')]).toEqual([url, 200, 'private, no-store'])
        const stranger = await fetch(site.origin + url, { redirect: 'manual' })
        await stranger.arrayBuffer()
        expect([url, stranger.status]).toEqual([url, 404])
      }
    })

    test('a resumed upload is stored in the bucket', async () => {
      const address = await begin(ines, clip.length)
      for (const [from, to] of [
        [0, 30_000_000],
        [30_000_000, clip.length],
      ] as const) {
        expect((await append(ines, address, from, clip.subarray(from, to))).status).toBe(204)
      }
      const { status, body } = await publish(ines, address)
      expect(status).toBe(201)
      const { _id } = body.data as Video
      const source = await fetch(at(_id, 'source.mp4'))
      expect(Buffer.from(await source.arrayBuffer()).equals(clip)).toBe(true)
      expect(existsSync(path.join(site.context.config.dataDir, 'uploads'))).toBe(false)
    })

    test('a file that is no video leaves nothing', async () => {
      const before = [
        ...(await keysBelow(site.storage, 'sources/')),
        ...(await keysBelow(site.storage, 'pictures/')),
      ]
      const { status } = await upload(Buffer.alloc(largeBytes, 'no video'))
      expect(status).toBe(400)
      expect([
        ...(await keysBelow(site.storage, 'sources/')),
        ...(await keysBelow(site.storage, 'pictures/')),
      ]).toEqual(before)
      await expect.poll(() => readdir(path.join(site.context.config.dataDir, 'incoming'))).toEqual([])
    })

    test('evicts segments above the limit of the cache, and no sources', async () => {
      const { video } = await upload(await drawClip('mp4 of two renditions'))
      expect((await fetch(at(video._id, `${SEGMENT_FORMAT}/240/0.m4s`))).status).toBe(200)
      const sources = await keysBelow(site.storage, 'sources/')
      // nobody is watching it any more
      site.clock.advance(16 * 60_000)
      const over = await bytesOverBudget(site.context)
      expect(over).toBeGreaterThan(1000)
      expect(await evict(site.context, over, new AbortController().signal)).toBeGreaterThanOrEqual(over)
      expect(await keysBelow(site.storage, 'sources/')).toEqual(sources)
      expect((await fetch(at(video._id, `${SEGMENT_FORMAT}/240/0.m4s`))).status).toBe(200)
    })

    test('deleting a video deletes it from the bucket', async () => {
      const { video } = await upload(await drawClip('mp4 of two renditions'))
      expect((await ines.fetch(`/api/v1/video/${video._id}`, { method: 'DELETE' })).status).toBe(200)
      const picture = video.thumbnail.split('/')[3] ?? ''
      await expect
        .poll(
          async () => [
            ...(await keysBelow(site.storage, `sources/${video._id}/`)),
            ...(await keysBelow(site.storage, `pictures/${picture}/`)),
          ],
          { timeout: 60_000 },
        )
        .toEqual([])
    })
  },
)
