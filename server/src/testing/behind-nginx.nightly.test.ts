import { createLiveKey, getLiveChannel, putLiveTemplate } from '@kinora/contract/live/live-streams.ts'
import { changeOwnVideo } from '@kinora/contract/videos/studio.ts'
import { listenForEncoders } from '@kinora/live/rtmp/server.ts'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { LiveIngest } from '../features/live/live-streams/actions/live-ingest.ts'
import { evict } from '../features/videos/playback/actions/cache-budget.ts'
import { deleteAnyVideo } from '../features/videos/video-deletion/actions/delete-video.ts'
import { reconcileHiddenMarks, reinstate, takeDown } from '../features/videos/videos/actions/hide-video.ts'
import { getVideo, updateTakedown } from '../features/videos/videos/queries/videos.ts'
import { hiddenKey } from '../context/storage-keys.ts'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import { documentedNginx } from './servers/documented-nginx.ts'
import { untilEncodingEnds } from './fixtures/playback-work.ts'
import { findQuietPort } from '@kinora/platform/testing/quiet-port.ts'
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

async function startBehind(use: 'files' | 'cache'): Promise<void> {
  // segments are encoded on request only
  const settings = {
    PREPARE_POLICY: 'none',
    TRUST_PROXY: 'true',
    SEGMENT_WAIT_SECONDS: '150',
    LIVE: 'true',
    LIVE_ROLE: 'member',
  }
  site = await createTestApp({ worker: true, settings })
  directory = await mkdtemp(join(tmpdir(), 'kinora-nginx-'))
  const { dataDir } = site.context.config
  await chmod(dataDir, 0o755)
  await chmod(directory, 0o755)
  const port = await findQuietPort()
  url = `http://127.0.0.1:${port}`
  const file = join(directory, 'nginx.conf')
  await writeFile(file, documentedNginx({ port, origin: site.origin, dataDir, directory, use }))
  nginx = spawn('nginx', ['-p', directory, '-e', join(directory, 'error.log'), '-c', file], {
    stdio: 'inherit',
  })
  const isUp = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await vi.waitUntil(isUp, { timeout: 60_000 })
}

async function stopBoth(): Promise<void> {
  const ended = once(nginx, 'exit')
  nginx.kill('SIGTERM')
  await ended
  await site.close()
  await rm(directory, { recursive: true, force: true, maxRetries: 10 })
}

/** A live stream through nginx, which has to pass on what grows, and may not keep it. */
async function expectLive(): Promise<void> {
  const ingest = new LiveIngest(site.context)
  await ingest.start()
  const publish = ingest.publish.bind(ingest)
  const server = await listenForEncoders({ host: '127.0.0.1', port: 0 }, publish, site.context.log)
  const { client } = await signUp(site)
  const template = { title: 'Live', description: '', visibility: 'public', keepsRecording: true } as const
  await client.call(putLiveTemplate, { body: template })
  const { key } = await client.call(createLiveKey, {})
  const inputs = '-re -f lavfi -i testsrc2=size=320x240:rate=25 -re -f lavfi -i sine=r=48000 -t 120'
  const codecs = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 50 -c:a aac -ac 2 -f flv'
  const address = `rtmp://127.0.0.1:${server.port}/live/${key}`
  const encoder = spawn('ffmpeg', ['-v', 'error', ...`${inputs} ${codecs}`.split(' '), address], {
    stdio: 'ignore',
  })
  try {
    const stream = async () => (await client.call(getLiveChannel, {})).stream
    await expect.poll(async () => (await stream())?.isConnected).toBe(true)
    const base = `/media/live/${(await stream())?.videoId}/source`
    const load = async (query = '') => {
      const response = await fetch(`${url}${base}/index.m3u8${query}`)
      const parts = (await response.text()).match(/^\d+(?=\.m4s$)/gm) ?? []
      return { next: parts.length, headers: response.headers }
    }
    let { next, headers } = await load()
    for (let i = 0; i < 3; i += 1) {
      const coming = await request(`${base}/${next}.m4s`)
      // the response waits in Kinora until there is another part
      const waited = await load(`?_HLS_msn=${next}`)
      expect(waited.next).toBe(next + 1)
      expect(waited.headers.get('cache-control')).toBe('no-cache')
      expect(waited.headers.get('x-request-id')).not.toBe(headers.get('x-request-id'))
      expect(coming).toEqual([404, 'Kinora'])
      expect(await request(`${base}/${next}.m4s`)).toEqual([200, 'Kinora'])
      ;({ next, headers } = waited)
    }
    const part = await fetch(`${url}${base}/0.m4s`, { headers: { range: 'bytes=0-99' } })
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 100])
    expect(part.headers.get('cache-control')).toBe('public, max-age=60')
  } finally {
    encoder.kill('SIGKILL')
    await ingest.stop()
    await server.close()
  }
}

describe.skipIf(!hasNginx)('behind nginx, as in docs/operations/proxy-and-tls.md', () => {
  beforeAll(() => startBehind('files'))
  afterAll(stopBoth)

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
      [`${SEGMENT_FORMAT}/audio-0-low/0.m4s`, 'audio/mp4'],
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
    await evict(site.context, Number.MAX_SAFE_INTEGER, new AbortController().signal)
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
    await evict(site.context, Number.MAX_SAFE_INTEGER, new AbortController().signal)
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
    await reconcileHiddenMarks(site.context)
    await isGone(both)
    // killed before the mark was removed
    await updateTakedown(site.db, id, null)
    await reconcileHiddenMarks(site.context)
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
    await reconcileHiddenMarks(site.context)
    expect(await Promise.all(paths.map((path) => request(path)))).toEqual(paths.map(() => [200, 'nginx']))
  })

  test('a live stream arrives part by part', expectLive)

  test('nginx sends no other files of the storage', async () => {
    const { id } = await publishSource(site, 'walls.mp4', h264)
    await takeDown(site.context, id, 'a complaint')
    for (const path of [
      `/hidden/${id}`,
      `/media/hidden/${id}`,
      '/media/pictures/../hidden/x',
      '/media/',
      `/media/videos/${id}/live/144/0.m4s`,
      '/media/sources/',
    ])
      expect((await request(path))[1]).toBe('Kinora')
  })
})

describe.skipIf(!hasNginx)('behind nginx as a cache, as in packaging/nginx', () => {
  beforeAll(() => startBehind('cache'))
  afterAll(stopBoth)

  /** The state of the cache for a request; undefined where nothing is cached. */
  const cached = (response: Response) => response.headers.get('x-cache-status') ?? undefined

  async function get(path: string, headers: Record<string, string> = {}) {
    const response = await fetch(url + path, { headers })
    const bytes = Buffer.from(await response.arrayBuffer())
    return { status: response.status, cached: cached(response), headers: response.headers, bytes }
  }

  test('the second request of a segment is a hit, also by range, with the same headers', async () => {
    const { id } = await publishSource(site, 'cached.webm', vp9)
    const segment = `/media/videos/${id}/${SEGMENT_FORMAT}/240/0.m4s`
    const first = await get(segment)
    expect([first.status, first.cached]).toEqual([200, 'MISS'])
    const second = await get(segment)
    expect([second.status, second.cached]).toEqual([200, 'HIT'])
    expect(second.bytes.equals(first.bytes)).toBe(true)
    for (const { headers } of [first, second])
      expect(Object.fromEntries(headers)).toMatchObject(headersOfFiles)
    const part = await get(segment, { range: 'bytes=100-199' })
    expect([part.status, part.cached, part.bytes.length]).toEqual([206, 'HIT', 100])
    expect(part.bytes.equals(first.bytes.subarray(100, 200))).toBe(true)
    expect((await get(segment, { 'if-none-match': first.headers.get('etag') ?? '' })).status).toBe(304)
  })

  test('concurrent viewers of a missing segment send one request to Kinora', async () => {
    const { id } = await publishSource(site, 'crowded.webm', vp9)
    const segment = `/media/videos/${id}/${SEGMENT_FORMAT}/240/0.m4s`
    const responses = await Promise.all(Array.from({ length: 12 }, () => get(segment)))
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    // Each request that reaches Kinora has an id of its own.
    expect(new Set(responses.map(({ headers }) => headers.get('x-request-id'))).size).toBe(1)
  })

  test('playlists, uploaded files and the API are not cached', async () => {
    const { id } = await publishSource(site, 'uncached.webm', vp9)
    const { videoFile } = await getVideo(site.db, id)
    for (const path of [`/media/videos/${id}/master.m3u8`, videoFile, '/api/v1/video/all', '/api/v1/site']) {
      const first = await get(path)
      const second = await get(path)
      expect([path, first.cached === 'HIT', second.cached === 'HIT']).toEqual([path, false, false])
      expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    }
  })

  test('a live stream arrives part by part, and nothing of it is cached', expectLive)

  test('media of a private video are never cached', async () => {
    const { id } = await publishSource(site, 'private.webm', vp9)
    const { client, user } = await signUp(site)
    const { thumbnail } = await getVideo(site.db, id)
    await site.db
      .updateTable('videos')
      .set({ ownerId: user._id, visibility: 'private' })
      .where('id', '=', id)
      .execute()
    await site.storage.put(thumbnail.replace('/media/', ''), Buffer.from('a picture'))
    for (const path of [`/media/videos/${id}/${SEGMENT_FORMAT}/240/0.m4s`, thumbnail])
      for (const [cookie, expected] of [
        [client.cookie, 200],
        ['', 404],
        [client.cookie, 200],
        ['', 404],
      ] as const) {
        const response = await get(path, { cookie })
        expect([path, response.status, response.cached]).toEqual([path, expected, 'MISS'])
      }
  })

  test('a takedown stops playlists immediately and reaches cached segments when they are revalidated', async () => {
    const { id } = await publishSource(site, 'withdrawn.webm', vp9)
    const segment = `/media/videos/${id}/${SEGMENT_FORMAT}/240/0.m4s`
    await get(segment)
    expect((await get(segment)).cached).toBe('HIT')
    await takeDown(site.context, id, 'a complaint')
    await expect.poll(async () => (await get(`/media/videos/${id}/master.m3u8`)).status).toBe(404)
    // Within the documented limit the cache does not ask.
    expect([(await get(segment)).status, (await get(segment)).cached]).toEqual([200, 'HIT'])
    await expireCache()
    expect([(await get(segment)).status, (await get(segment)).status]).toEqual([404, 404])
  })

  test('an expired segment is revalidated without its body', async () => {
    const { id } = await publishSource(site, 'revalidated.webm', vp9)
    const segment = `/media/videos/${id}/${SEGMENT_FORMAT}/240/0.m4s`
    const first = await get(segment)
    await expireCache()
    const second = await get(segment)
    expect([second.status, second.cached]).toEqual([200, 'REVALIDATED'])
    expect(second.bytes.equals(first.bytes)).toBe(true)
  })

  /** Ends the ten minutes of everything in the cache. nginx reads `valid_sec` at byte 8 of a file with each request. */
  async function expireCache(): Promise<void> {
    for (const entry of await readdir(join(directory, 'cache'), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const file = await open(join(entry.parentPath, entry.name), 'r+')
      const past = Buffer.alloc(8)
      past.writeBigInt64LE(1n)
      await file.write(past, 0, 8, 8)
      await file.close()
    }
  }
})
