import { changeOwnVideo } from '@kinora/contract/studio.ts'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { evict } from '../features/playback/actions/cache-budget.ts'
import { deleteAnyVideo } from '../features/videos/actions/change-video.ts'
import { matchHidden, reinstate, takeDown } from '../features/videos/actions/hide-video.ts'
import { getVideo, updateTakedown } from '../features/videos/queries/videos.ts'
import { hiddenKey } from '../storage-keys.ts'
import { SEGMENT_FORMAT } from '../media/plan/hls.ts'
import { documentedNginx } from './servers/documented-nginx.ts'
import { untilEncodingEnds } from './fixtures/playback-work.ts'
import { findQuietPort } from './servers/quiet-port.ts'
import { createTestApp, type TestApp } from './fixtures/test-app.ts'
import { h264, publishSource } from './fixtures/test-sources.ts'
import { signUp } from './fixtures/test-users.ts'

const hasNginx = spawnSync('nginx', ['-v']).status === 0

let site: TestApp
let directory: string
let nginx: ChildProcess
let url: string

/** Headers that nginx and the server send with every file. */
const headersOfFiles = {
  'cache-control': 'public, max-age=31536000, immutable',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Accept-Ranges, Content-Range, ETag',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  'content-security-policy': expect.stringContaining("default-src 'none'"),
}

/** Kinora adds a request id to every response, nginx does not. */
const senderOf = (response: Response) => (response.headers.has('x-request-id') ? 'Kinora' : 'nginx')

async function request(path: string, init?: RequestInit): Promise<[status: number, sender: string]> {
  const response = await fetch(url + path, init)
  await response.arrayBuffer()
  return [response.status, senderOf(response)]
}

/** Immediately for nginx; Kinora is notified by the database a moment later. */
async function isGone(both: () => Promise<[number, string][]>): Promise<void> {
  expect((await both()).map(([, sender]) => sender)).toEqual(['Kinora', 'Kinora'])
  await expect.poll(async () => (await both()).map(([status]) => status)).toEqual([404, 404])
}

/** Passthrough only where browsers support VP9, and with encoded audio: segments of both are stored. */
const vp9 = '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 50 -c:a libopus'

describe.skipIf(!hasNginx)('behind nginx, as in docs/operations/proxy-and-tls.md', () => {
  beforeAll(async () => {
    // segments are encoded on request only
    const settings = { PREPARE_POLICY: 'none', TRUST_PROXY: 'true', SEGMENT_WAIT_SECONDS: '150' }
    site = await createTestApp({ worker: true, settings })
    directory = await mkdtemp(join(tmpdir(), 'kinora-nginx-'))
    const { dataDir } = site.context.config
    await chmod(dataDir, 0o755)
    await chmod(directory, 0o755)
    const port = await findQuietPort()
    url = `http://127.0.0.1:${port}`
    const file = join(directory, 'nginx.conf')
    await writeFile(file, await documentedNginx({ port, origin: site.origin, dataDir, directory }))
    nginx = spawn('nginx', ['-p', directory, '-e', join(directory, 'error.log'), '-c', file], {
      stdio: 'inherit',
    })
    const isUp = () =>
      fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
    await vi.waitUntil(isUp, { timeout: 60_000 })
  })
  afterAll(async () => {
    const ended = once(nginx, 'exit')
    nginx.kill('SIGTERM')
    await ended
    await site.close()
    await rm(directory, { recursive: true, force: true, maxRetries: 10 })
  })

  test('nginx sends an uploaded file: completely, by ranges, and with 304', async () => {
    const { id, bytes } = await publishSource(site, 'ranges.mp4', h264)
    const { videoFile } = await getVideo(site.db, id)
    const whole = await fetch(url + videoFile)
    expect([whole.status, senderOf(whole)]).toEqual([200, 'nginx'])
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      ...headersOfFiles,
      'accept-ranges': 'bytes',
      'content-type': 'video/mp4',
    })
    const part = await fetch(url + videoFile, { headers: { range: 'bytes=1000-1999' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1000-1999/${bytes.length}`])
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(1000, 2000))).toBe(true)
    const known = { 'if-none-match': whole.headers.get('etag') ?? '' }
    expect(await request(videoFile, { headers: known })).toEqual([304, 'nginx'])
    const head = await fetch(url + videoFile, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)])
    expect((await request(videoFile, { headers: { range: `bytes=${bytes.length}-` } }))[0]).toBe(416)
    expect(await request(`/media/videos/${id}/source.mp4`)).toEqual([200, 'nginx'])
  })

  test('nginx sends stored pictures and segments, Kinora the others, with the same headers', async () => {
    const { id } = await publishSource(site, 'segments.webm', vp9)
    const { thumbnail } = await getVideo(site.db, id)
    await site.storage.put(thumbnail.replace('/media/', ''), Buffer.from('a picture'))
    const picture = await fetch(url + thumbnail)
    expect([picture.status, senderOf(picture), await picture.text()]).toEqual([200, 'nginx', 'a picture'])
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      ...headersOfFiles,
      'content-type': 'image/webp',
    })
    expect(await request(thumbnail.replace('640', '641'))).toEqual([404, 'Kinora'])
    const base = `/media/videos/${id}`
    expect(await request(`${base}/master.m3u8`)).toEqual([200, 'Kinora'])
    expect(await request(`${base}/${SEGMENT_FORMAT}/240/index.m3u8`)).toEqual([200, 'Kinora'])
    for (const [file, type] of [
      [`${SEGMENT_FORMAT}/240/init.mp4`, 'video/mp4'],
      [`${SEGMENT_FORMAT}/240/0.m4s`, 'video/mp4'],
      [`${SEGMENT_FORMAT}/audio-0/0.m4s`, 'audio/mp4'],
      [`${SEGMENT_FORMAT}/storyboard2/0.jpg`, 'image/jpeg'],
    ]) {
      const made = await fetch(`${url}${base}/${file}`)
      const kept = await fetch(`${url}${base}/${file}`)
      expect([senderOf(made), senderOf(kept)]).toEqual(['Kinora', 'nginx'])
      expect(Buffer.from(await kept.arrayBuffer()).equals(Buffer.from(await made.arrayBuffer()))).toBe(true)
      for (const { headers } of [made, kept])
        expect(Object.fromEntries(headers)).toMatchObject({ ...headersOfFiles, 'content-type': type })
    }
    expect(await request(`${base}/${SEGMENT_FORMAT}/240/0.m4s`, { method: 'POST' })).toEqual([405, 'Kinora'])
    expect(await request(`${base}/${SEGMENT_FORMAT}/240/0.m4s`, { method: 'OPTIONS' })).toEqual([
      204,
      'Kinora',
    ])
  })

  test('segments evicted while nginx was serving them are encoded again and then kept', async () => {
    const { id } = await publishSource(site, 'evicted.webm', vp9)
    const base = `/media/videos/${id}/${SEGMENT_FORMAT}/240`
    for (const file of ['index.m3u8', 'init.mp4', '0.m4s'])
      expect((await request(`${base}/${file}`))[0]).toBe(200)
    expect(await request(`${base}/0.m4s`)).toEqual([200, 'nginx'])
    const kept = async () =>
      (await site.storage.head(`segments/${id}/${SEGMENT_FORMAT}/240/0.m4s`)) !== undefined
    await untilEncodingEnds(site)
    // an hour of playback in which only nginx was asked
    site.clock.advance(3600_000)
    await evict(site.context, Number.MAX_SAFE_INTEGER)
    expect(await kept()).toBe(false)
    await expect.poll(() => request(`${base}/0.m4s`)).toEqual([200, 'Kinora'])
    expect(await request(`${base}/0.m4s`)).toEqual([200, 'nginx'])
    const askedAt = async () =>
      (
        await site.db
          .selectFrom('trackUses')
          .select('usedAt')
          .where('videoId', '=', id)
          .where('track', '=', '240')
          .executeTakeFirst()
      )?.usedAt
    await expect.poll(askedAt).toEqual(site.clock.now())
    await evict(site.context, Number.MAX_SAFE_INTEGER)
    expect(await kept()).toBe(true)
  })

  test('taken down and deleted files are hidden immediately, and sent again after reinstatement', async () => {
    const { id } = await publishSource(site, 'hidden.mp4', h264)
    const { videoFile, thumbnail } = await getVideo(site.db, id)
    await site.storage.put(thumbnail.replace('/media/', ''), Buffer.from('a picture'))
    expect(await request(thumbnail)).toEqual([200, 'nginx'])
    const segment = `/media/videos/${id}/${SEGMENT_FORMAT}/240/0.m4s`
    const both = async () => [await request(videoFile), await request(segment)]
    const shown = [
      [200, 'nginx'],
      [200, 'nginx'],
    ]
    await request(segment)
    expect(await both()).toEqual(shown)

    await takeDown(site.context, id, 'a complaint')
    await isGone(both)
    await expect.poll(() => request(thumbnail)).toEqual([404, 'Kinora'])
    await reinstate(site.context, id)
    expect(await both()).toEqual(shown)
    expect(await request(thumbnail)).toEqual([200, 'nginx'])

    // a restored backup has no marks
    await updateTakedown(site.db, id, 'a complaint')
    await matchHidden(site.context)
    await isGone(both)
    // killed before the mark was removed
    await updateTakedown(site.db, id, null)
    await matchHidden(site.context)
    expect(await both()).toEqual(shown)

    await deleteAnyVideo(site.context, id)
    await isGone(both)
    expect(await site.storage.head(hiddenKey(id))).toBeDefined()
  })

  test('files of a private video come from Kinora, and only with the session of its owner', async () => {
    const { id } = await publishSource(site, 'private.webm', vp9)
    const { client, user } = await signUp(site)
    await site.db.updateTable('videos').set({ ownerId: user._id }).where('id', '=', id).execute()
    const { videoFile, thumbnail } = await getVideo(site.db, id)
    await site.storage.put(thumbnail.replace('/media/', ''), Buffer.from('a picture'))
    const segment = `/media/videos/${id}/${SEGMENT_FORMAT}/240/0.m4s`
    const paths = [videoFile, thumbnail, segment]
    for (const path of paths) expect((await request(path))[0]).toBe(200)
    expect(await Promise.all(paths.map((path) => request(path)))).toEqual(paths.map(() => [200, 'nginx']))

    await client.call(changeOwnVideo, { params: { id }, body: { visibility: 'private' } })
    const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    for (const path of paths) {
      expect([path, ...(await request(path))]).toEqual([path, 404, 'Kinora'])
      const own = await fetch(url + path, { headers: { cookie } })
      await own.arrayBuffer()
      expect([path, own.status, own.headers.get('cache-control')]).toEqual([path, 200, 'private, no-store'])
    }
    await client.post('/api/v1/users/logout')
    for (const path of paths) expect((await request(path, { headers: { cookie } }))[0]).toBe(404)
    await site.db.updateTable('videos').set({ visibility: 'public' }).where('id', '=', id).execute()
    await matchHidden(site.context)
    expect(await Promise.all(paths.map((path) => request(path)))).toEqual(paths.map(() => [200, 'nginx']))
  })

  test('nginx sends no other files of the storage', async () => {
    const { id } = await publishSource(site, 'walls.mp4', h264)
    await takeDown(site.context, id, 'a complaint')
    for (const path of [
      `/hidden/${id}`,
      `/media/hidden/${id}`,
      '/media/pictures/../hidden/x',
      '/media/',
      '/media/sources/',
    ])
      expect((await request(path))[1]).toBe('Kinora')
  })
})
