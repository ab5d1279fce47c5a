import { readdir } from 'node:fs/promises'
import { request as httpRequest, type ClientRequest } from 'node:http'
import { join } from 'node:path'
import type { Video } from '@kinora/contract/videos.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type BucketSettings, countUploads, createBucket } from '../../testing/object-store.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { type Answer, TestClient } from '../../testing/test-client.ts'
import { drawClip } from '../../testing/test-clips.ts'
import { drawPicture, signUp } from '../../testing/test-users.ts'
import { clearStale } from './actions/clear-stale.ts'
import { sweepUnfinished } from './jobs.ts'

const store = inject('objectStore')
const uploads = '/api/v1/uploads'
const megabyte = 1024 * 1024
const patience = { timeout: 30_000 }
/** In a bucket all parts but the last have this size. */
const partBytes = 16 * megabyte

describe.skipIf(!store)(
  'resumable uploads, on web processes that share nothing but a bucket and the database',
  () => {
    let bucket: BucketSettings
    let one: TestApp
    let other: TestApp
    let ines: TestClient

    beforeAll(async () => {
      if (!store) return
      bucket = await createBucket(store)
      one = await createTestApp({ settings: bucket })
      other = await createTestApp({ settings: bucket, databaseUrl: one.databaseUrl })
      ines = (await signUp(one)).client
    })
    afterAll(async () => {
      if (!store) return
      await other.close()
      await one.close()
    })

    /** Ines, by way of one of the processes. */
    function at(site: TestApp): TestClient {
      const client = new TestClient(site.origin)
      for (const [name, value] of ines.cookies) client.cookies.set(name, value)
      return client
    }

    const tus = (site: TestApp, method: string, path: string, headers = {}, body?: Buffer) =>
      at(site).fetch(path, {
        method,
        headers: { 'tus-resumable': '1.0.0', ...headers },
        ...(body ? { body: new Uint8Array(body) } : {}),
      })
    async function begin(site: TestApp, sizeBytes: number): Promise<string> {
      const answer = await tus(site, 'POST', uploads, { 'upload-length': String(sizeBytes) })
      expect(answer.status).toBe(201)
      return answer.headers.get('location') ?? ''
    }
    const patchHeaders = (offset: number) => ({
      'tus-resumable': '1.0.0',
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    })
    const append = (site: TestApp, path: string, offset: number, body: Buffer) =>
      tus(site, 'PATCH', path, patchHeaders(offset), body)
    async function offsetOf(site: TestApp, path: string): Promise<number> {
      return Number((await tus(site, 'HEAD', path)).headers.get('upload-offset'))
    }
    async function publish(site: TestApp, path: string, fields: Record<string, string> = {}) {
      const form = new FormData()
      for (const [name, value] of Object.entries({ title: 'Glacier', description: 'Ice', ...fields }))
        form.set(name, value)
      form.set('thumbnail', await drawPicture(64, 36, 'jpeg'), 'a.jpg')
      return at(site).post(`${path}/publish`, form)
    }
    async function sourceOf(site: TestApp, { body }: { body: { data?: unknown } }): Promise<Buffer> {
      const answer = await at(site).fetch((body.data as Video).videoFile)
      return Buffer.from(await answer.arrayBuffer())
    }
    const keysBelow = async (prefix: string) => {
      const keys = []
      for await (const { key } of one.storage.list(prefix)) keys.push(key)
      return keys
    }
    /** What is left of unfinished uploads, anywhere. */
    const leftovers = async () => ({
      parts: await countUploads(bucket),
      tails: await keysBelow('unfinished/'),
      rows: (await one.db.selectFrom('resumableUploads').select('id').execute()).length,
      files: [
        ...(await readdir(join(one.context.config.dataDir, 'incoming'))),
        ...(await readdir(join(other.context.config.dataDir, 'incoming'))),
      ],
    })
    const nothing = { parts: 0, tails: [], rows: 0, files: [] }

    /** Sends some bytes of an announced length; the connection stays open. */
    function sendSome(
      site: TestApp,
      path: string,
      offset: number,
      length: number,
      bytes: Buffer,
    ): ClientRequest {
      const cookie = [...ines.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const sending = httpRequest(site.origin + path, {
        method: 'PATCH',
        headers: { ...patchHeaders(offset), cookie, 'content-length': length },
      })
      sending.on('error', () => undefined)
      sending.write(bytes)
      return sending
    }

    test('each piece may go to another one, and becomes the video byte for byte', async () => {
      const film = await filmOf(2 * partBytes + 5 * megabyte)
      const path = await begin(one, film.length)
      // across the ends of parts, exactly at one, and within one
      const ends = [
        3,
        7 * megabyte,
        7 * megabyte + 1,
        partBytes,
        partBytes + 2,
        2 * partBytes + 9,
        film.length,
      ]
      let offset = 0
      let early: Answer | undefined
      for (const [index, end] of ends.entries()) {
        const site = index % 2 === 0 ? other : one
        const answer = await append(site, path, offset, film.subarray(offset, end))
        expect([answer.status, answer.headers.get('upload-offset')]).toEqual([204, String(end)])
        offset = await offsetOf(index % 3 === 0 ? one : other, path)
        expect(offset).toBe(end)
        if (index === 0) early = await publish(other, path)
      }
      expect(early?.status).toBe(409)
      expect((await append(one, path, 0, film.subarray(0, 10))).status).toBe(409)
      expect((await publish(one, path, { title: ' ' })).body.message).toBe('Title is required')
      const answers = await Promise.all([publish(one, path), publish(other, path), publish(one, path)])
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
      expect(new Set(answers.map(({ body }) => (body.data as Video)._id)).size).toBe(1)
      for (const answer of answers.slice(0, 2))
        expect((await sourceOf(other, answer)).equals(film)).toBe(true)
      expect(await leftovers()).toEqual(nothing)
    }, 120_000)

    test('what came before a lost connection is kept', async () => {
      const film = await filmOf(partBytes + 6 * megabyte)
      const path = await begin(one, film.length)
      const sent = partBytes + 4 * megabyte
      const sending = sendSome(one, path, 0, film.length, film.subarray(0, sent))
      await expect.poll(() => offsetOf(other, path), patience).toBe(partBytes)
      sending.destroy()
      await expect.poll(() => offsetOf(other, path), patience).toBeGreaterThan(partBytes)
      const offset = await offsetOf(other, path)
      expect((await append(other, path, offset, film.subarray(offset))).status).toBe(204)
      const published = await publish(one, path)
      expect(published.status).toBe(201)
      expect((await sourceOf(one, published)).equals(film)).toBe(true)
      expect(await leftovers()).toEqual(nothing)
    }, 120_000)

    test('of two who go on with one upload, the later one is believed', async () => {
      const film = await filmOf(3 * megabyte)
      const path = await begin(one, film.length)
      const stuck = sendSome(one, path, 0, film.length, Buffer.alloc(megabyte, 'not the film'))
      const writer = async () =>
        (await one.db.selectFrom('resumableUploads').select('writer').executeTakeFirstOrThrow()).writer
      await expect.poll(writer, patience).not.toBeNull()
      expect((await append(other, path, 0, film.subarray(0, 2 * megabyte))).status).toBe(204)
      stuck.destroy()
      await expect.poll(async () => (await leftovers()).files, patience).toEqual([])
      expect(await offsetOf(one, path)).toBe(2 * megabyte)
      await append(one, path, 2 * megabyte, film.subarray(2 * megabyte))
      const published = await publish(other, path)
      expect(published.status).toBe(201)
      expect((await sourceOf(other, published)).equals(film)).toBe(true)
      expect(await leftovers()).toEqual(nothing)
    }, 60_000)

    test('what is no video, is given up, or waits for too long, leaves nothing', async () => {
      const sources = await keysBelow('sources/')
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
      expect(await clearStale(other.context)).toBe(0)
      const clock = { now: () => new Date(Date.now() + 25 * 3_600_000) }
      expect(await clearStale({ ...other.context, clock })).toBe(1)
      expect((await append(one, waiting, 990, text.subarray(990))).status).toBe(404)
      expect(await leftovers()).toEqual(nothing)
      expect(await keysBelow('sources/')).toEqual(sources)
    }, 60_000)

    test('sweeping spares what somebody goes on with, and a part that was deleted all the same is answered as gone', async () => {
      const film = await filmOf(partBytes + megabyte)
      const path = await begin(one, film.length)
      await append(one, path, 0, film.subarray(0, partBytes + 5))
      const clock = { now: () => new Date(Date.now() + 9 * 24 * 3_600_000) }
      await one.storage.put('unfinished/ofNoUpload/tail', Buffer.from('left'))
      await sweepUnfinished.handle({}, { ...one.context, clock }, new AbortController().signal)
      expect(await leftovers()).toMatchObject({ parts: 1, rows: 1, tails: [expect.any(String)] })
      expect(await keysBelow('unfinished/ofNoUpload/')).toEqual([])
      // by an operator, say
      await one.storage.sweep(new Date(Date.now() + 60_000))
      expect((await append(other, path, partBytes + 5, film.subarray(partBytes + 5))).status).toBe(410)
      expect((await tus(one, 'DELETE', path)).status).toBe(204)
      expect(await leftovers()).toEqual(nothing)
    }, 60_000)
  },
)

/** A film of any size: what follows the clip is a box that players skip. */
async function filmOf(sizeBytes: number): Promise<Buffer> {
  const clip = await drawClip('mp4')
  const free = Buffer.alloc(sizeBytes - clip.length, 'kinora')
  free.writeUInt32BE(free.length, 0)
  free.write('free', 4)
  return Buffer.concat([clip, free])
}
