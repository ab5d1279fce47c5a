import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '@kinora/contract/videos/uploads.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BucketSettings, countUploads } from '@kinora/platform/testing/object-store.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { createTestBucket, hasNoStore, keysBelow } from '@kinora/platform/testing/test-bucket.ts'
import type { TestResponse, TestClient } from '../../../testing/fixtures/test-client.ts'
import {
  append,
  begin,
  videoOf,
  videoWithTags,
  offsetOf,
  publish,
  sourceOf,
  startPiece,
  tus,
  upload,
  uploads,
} from '../../../testing/fixtures/test-uploads.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { clearStale } from './actions/clear-stale.ts'
import { newId } from '@kinora/platform/ids.ts'
import { sweepUnfinished } from './jobs.ts'

const megabyte = 1024 * 1024
const patience = { timeout: 60_000 }
/** Size of all parts in a bucket except the last. */
const partBytes = 16 * megabyte

describe.skipIf(hasNoStore)(
  'resumable uploads, on web processes that share only a bucket and the database',
  () => {
    let bucket: BucketSettings
    let site: TestApp
    let second: TestApp
    /** One user at each of them. */
    let one: TestClient
    let other: TestClient

    beforeAll(async () => {
      bucket = await createTestBucket()
      site = await createTestApp({ settings: bucket })
      second = await createTestApp({ settings: bucket, databaseUrl: site.databaseUrl })
      one = (await signUp(site)).client
      other = one.at(second.origin)
    })
    afterAll(async () => {
      await second.close()
      await site.close()
    })

    /** Leftovers of unfinished uploads, on disk and in the bucket. */
    const leftovers = async () => ({
      parts: await countUploads(bucket),
      tails: await keysBelow(site.storage, 'unfinished/'),
      rows: (await site.db.selectFrom('resumableUploads').select('id').execute()).length,
      files: [
        ...(await readdir(join(site.context.config.dataDir, 'incoming'))),
        ...(await readdir(join(second.context.config.dataDir, 'incoming'))),
      ],
    })
    const nothing = { parts: 0, tails: [], rows: 0, files: [] }

    test('replace the file of a video, with its tags blanked, and leave nothing else', async () => {
      const { _id: id } = await upload(one, 'Glacier')
      const file = await videoWithTags('a secret place', 'tags', 2 * megabyte)
      const path = await begin(one, file.length)
      expect((await append(one, path, 0, file)).status).toBe(204)
      const body = { uploadId: path.split('/').at(-1) ?? '' }
      const replaced = await other.call(replaceFile, { params: { id }, body })
      const stored = await sourceOf(one, replaced)
      expect(stored).toHaveLength(file.length)
      expect(stored.includes('a secret place')).toBe(false)
      expect(await keysBelow(site.storage, `sources/${body.uploadId}/`)).toEqual([])
      expect(await keysBelow(site.storage, `sources/${id}/`)).toHaveLength(2)
      expect(await countUploads(bucket)).toBe(0)
    })

    test('accept each request at another process, and publish the video byte for byte', async () => {
      const video = await videoOf(2 * partBytes + 5 * megabyte)
      const path = await begin(one, video.length)
      // across the ends of parts, exactly at one, and within one
      const ends = [
        3,
        7 * megabyte,
        7 * megabyte + 1,
        partBytes,
        partBytes + 2,
        2 * partBytes + 9,
        video.length,
      ]
      let offset = 0
      let early: TestResponse | undefined
      for (const [index, end] of ends.entries()) {
        const client = index % 2 === 0 ? other : one
        const response = await append(client, path, offset, video.subarray(offset, end))
        expect([response.status, response.headers.get('upload-offset')]).toEqual([204, String(end)])
        offset = await offsetOf(index % 3 === 0 ? one : other, path)
        expect(offset).toBe(end)
        if (index === 0) early = await publish(other, path)
      }
      expect(early?.status).toBe(409)
      expect((await append(one, path, 0, video.subarray(0, 10))).status).toBe(409)
      expect((await publish(one, path, { title: ' ' })).body.message).toBe('Title is required')
      const responses = await Promise.all([publish(one, path), publish(other, path), publish(one, path)])
      expect(responses.map(({ status }) => status)).toEqual([201, 201, 201])
      expect(new Set(responses.map(({ body }) => (body.data as Video)._id)).size).toBe(1)
      for (const response of responses.slice(0, 2))
        expect((await sourceOf(other, response.body.data as Video)).equals(video)).toBe(true)
      await expect.poll(leftovers, patience).toEqual(nothing)
    })

    test('publish an upload of unknown length that ends within a part or at its end', async () => {
      for (const sizeBytes of [partBytes + 3 * megabyte, partBytes]) {
        const video = await videoOf(sizeBytes)
        const begun = await tus(one, 'POST', uploads, { 'upload-defer-length': '1' })
        const path = begun.headers.get('location') ?? ''
        const half = Math.floor(video.length / 2)
        await append(one, path, 0, video.subarray(0, half))
        await append(other, path, half, video.subarray(half))
        const end = {
          'upload-offset': String(video.length),
          'upload-length': String(video.length),
          'content-type': 'application/offset+octet-stream',
        }
        expect((await tus(one, 'PATCH', path, end)).status).toBe(204)
        const { status, body } = await publish(other, path)
        expect(status).toBe(201)
        expect((await sourceOf(one, body.data as Video)).equals(video)).toBe(true)
      }
      await expect.poll(leftovers, patience).toEqual(nothing)
    })

    test('blank tags in every part, and change nothing else', async () => {
      const secret = 'filmed at 5 Rue Secrete'
      const file = await videoWithTags(secret, 'tags', partBytes, 1000, partBytes, 'tags')
      const path = await begin(one, file.length)
      expect((await append(one, path, 0, file)).status).toBe(204)
      const resumed = (await publish(other, path)).body.data as Video
      const whole = await upload(one, 'In one request', file)
      for (const video of [resumed, whole]) {
        const bytes = await sourceOf(other, video)
        expect([bytes.length, bytes.includes('Secrete')]).toEqual([file.length, false])
        const tags = file.indexOf(secret) - 8
        expect(bytes.subarray(0, tags).equals(file.subarray(0, tags))).toBe(true)
        const free = tags + 8 + 64
        expect(bytes.subarray(free, -72).equals(file.subarray(free, -72))).toBe(true)
      }
      const small = await videoWithTags(secret, 'tags')
      const begun = await begin(one, small.length)
      await append(one, begun, 0, small)
      const short = (await publish(one, begun)).body.data as Video
      expect((await sourceOf(other, short)).includes('Secrete')).toBe(false)
      await expect.poll(leftovers, patience).toEqual(nothing)
    })

    test('keep the bytes received before a lost connection', async () => {
      const video = await videoOf(partBytes + 6 * megabyte)
      const path = await begin(one, video.length)
      const sent = partBytes + 4 * megabyte
      const sending = startPiece(one, path, 0, video.length)
      sending.write(video.subarray(0, sent))
      await expect.poll(() => offsetOf(other, path), patience).toBe(partBytes)
      sending.destroy()
      await expect.poll(() => offsetOf(other, path), patience).toBeGreaterThan(partBytes)
      const offset = await offsetOf(other, path)
      expect((await append(other, path, offset, video.subarray(offset))).status).toBe(204)
      const published = await publish(one, path)
      expect(published.status).toBe(201)
      expect((await sourceOf(one, published.body.data as Video)).equals(video)).toBe(true)
      await expect.poll(leftovers, patience).toEqual(nothing)
    })

    test('accept only the later of two writers', async () => {
      const video = await videoOf(3 * megabyte)
      const path = await begin(one, video.length)
      const stuck = startPiece(one, path, 0, video.length)
      stuck.write(Buffer.alloc(megabyte, 'not the video'))
      const writer = async () =>
        (await site.db.selectFrom('resumableUploads').select('writer').executeTakeFirstOrThrow()).writer
      await expect.poll(writer, patience).not.toBeNull()
      expect((await append(other, path, 0, video.subarray(0, 2 * megabyte))).status).toBe(204)
      stuck.destroy()
      await expect.poll(async () => (await leftovers()).files, patience).toEqual([])
      expect(await offsetOf(one, path)).toBe(2 * megabyte)
      await append(one, path, 2 * megabyte, video.subarray(2 * megabyte))
      const published = await publish(other, path)
      expect(published.status).toBe(201)
      expect((await sourceOf(other, published.body.data as Video)).equals(video)).toBe(true)
      await expect.poll(leftovers, patience).toEqual(nothing)
    })

    test('leave nothing of rejected, terminated and abandoned uploads', async () => {
      const sources = await keysBelow(site.storage, 'sources/')
      const text = Buffer.alloc(1000, 'text')
      const wrong = await begin(one, text.length)
      await append(one, wrong, 0, text)
      expect((await publish(other, wrong)).status).toBe(400)
      expect((await publish(other, wrong)).status).toBe(404)

      const empty = await begin(one, 0)
      expect((await publish(other, empty)).status).toBe(400)

      const given = await begin(one, text.length)
      await append(one, given, 0, text.subarray(10))
      expect((await tus(other, 'DELETE', given)).status).toBe(204)
      expect((await tus(one, 'HEAD', given)).status).toBe(404)

      const waiting = await begin(one, text.length)
      await append(one, waiting, 0, text.subarray(10))
      expect(await clearStale(second.context)).toBe(0)
      const clock = { now: () => new Date(Date.now() + 25 * 3_600_000) }
      expect(await clearStale({ ...second.context, clock })).toBe(1)
      expect((await append(one, waiting, 990, text.subarray(990))).status).toBe(404)
      await expect.poll(leftovers, patience).toEqual(nothing)
      expect(await keysBelow(site.storage, 'sources/')).toEqual(sources)
    })

    test('survive a sweep while in progress, and return 410 for a deleted part', async () => {
      const video = await videoOf(partBytes + megabyte)
      const path = await begin(one, video.length)
      await append(one, path, 0, video.subarray(0, partBytes + 5))
      const clock = { now: () => new Date(Date.now() + 9 * 24 * 3_600_000) }
      const gone = newId()
      await site.storage.put(`unfinished/${gone}/${newId()}`, Buffer.from('left'))
      await sweepUnfinished.handle({}, { ...site.context, clock }, new AbortController().signal)
      expect(await leftovers()).toMatchObject({ parts: 1, rows: 1, tails: [expect.any(String)] })
      expect(await keysBelow(site.storage, `unfinished/${gone}/`)).toEqual([])
      // by an operator, for example
      await site.storage.sweep(new Date(Date.now() + 60_000), () => true)
      expect((await append(other, path, partBytes + 5, video.subarray(partBytes + 5))).status).toBe(410)
      expect((await tus(one, 'DELETE', path)).status).toBe(204)
      await expect.poll(leftovers, patience).toEqual(nothing)
    })
  },
)
