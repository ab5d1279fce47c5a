import { rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findMoments } from '@kinora/contract/watching/search.ts'
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createContext } from '../../../app/create-context.ts'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import { LastAttemptInterrupted } from '@kinora/platform/jobs/jobs.ts'
import { FfmpegError } from '@kinora/media/process/ffmpeg.ts'
import { checkMaster } from '@kinora/media/testing/check-playlists.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { SourceRemuxer } from '@kinora/media/remux/remux.ts'
import { untilEncodingEnds } from '../../../testing/fixtures/playback-work.ts'
import { readAllTracks, readFrames, readTrack, urisOf } from '../../../testing/fixtures/read-tracks.ts'
import { h264, publishSource } from '../../../testing/fixtures/test-sources.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { deleteAnyVideo } from '../video-deletion/actions/delete-video.ts'
import { getVideo } from '../videos/queries/videos.ts'
import { SegmentRequests } from './actions/await-segment.ts'
import { evict } from './actions/cache-budget.ts'
import { OpenSources } from './actions/open-sources.ts'
import { Presentations } from './actions/presentations.ts'
import { encodeSegment, indexFileCaptions, prepareRun } from './jobs.ts'
import { prepareVideo } from './actions/prepare-video.ts'
import { resumePreparation } from './jobs.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({ worker: true, settings: { SEGMENT_WAIT_SECONDS: '100' } })
})
afterAll(() => site.close())

const publish = async (name: string, args: string, app = site) => {
  const published = await publishSource(app, name, args)
  // a later test resumes the preparation of all videos
  if (app === site)
    onTestFinished(async () => {
      await site.db.deleteFrom('videos').where('id', '=', published.id).execute()
    })
  return published
}

test('plays in every rendition without preparation', { timeout: 240_000 }, async () => {
  const { id } = await publish('copied.mp4', h264)
  expect(await readAllTracks(`${site.origin}/media/videos/${id}/master.m3u8`)).toBe(5)
})

test('concurrent requests for one missing segment cause one run', async () => {
  const { id } = await publish('crowd.mp4', h264)
  const url = `${site.origin}/media/videos/${id}/${SEGMENT_FORMAT}/240/1.m4s`
  // another web process, which shares only the database
  const other = await createContext(site.context.config, site.databaseUrl, 'web')
  onTestFinished(() => other.close())
  const requests = new SegmentRequests(other)
  const elsewhere = Array.from({ length: 12 }, () =>
    requests.request(
      { videoId: id, folder: SEGMENT_FORMAT, track: '240', part: 1 },
      { address: '192.0.2.1' },
    ),
  )
  const responses = await Promise.all(Array.from({ length: 12 }, () => fetch(url)))
  expect(new Set(await Promise.all(elsewhere))).toEqual(new Set(['made']))
  expect(responses.map((response) => response.status)).toEqual(Array.from({ length: 12 }, () => 200))
  const bodies = await Promise.all(responses.map((response) => response.arrayBuffer()))
  for (const body of bodies)
    expect(Buffer.from(body).equals(Buffer.from(bodies[0] ?? new ArrayBuffer()))).toBe(true)
  const { rows } = await sql`
    select id from pgboss.job
    where name = 'playback.make_segment' and data->>'videoId' = ${id} and data->>'part' = '1'`.execute(
    site.db,
  )
  expect(rows).toHaveLength(1)
})

test('a source is read again after its disk was unavailable', async () => {
  const { id } = await publish('away.mp4', h264)
  const urls = ['source/init.mp4', 'source/1.m4s', 'audio-0/1.m4s'].map(
    (part) => `${site.origin}/media/videos/${id}/${SEGMENT_FORMAT}/${part}`,
  )
  const statuses = () => Promise.all(urls.map(async (url) => (await fetch(url)).status))
  const sources = join(site.context.config.dataDir, 'storage/sources')
  // the mount point was replaced by a file
  await rename(sources, `${sources}-away`)
  await writeFile(sources, '')
  expect(await statuses()).toEqual([503, 503, 503])
  await rm(sources)
  await rename(`${sources}-away`, sources)
  expect(await statuses()).toEqual([200, 200, 200])
})

test('returns 503, not 404, while the storage is unavailable', { timeout: 240_000 }, async () => {
  const { id } = await publish('gone.mp4', h264)
  const status = async () =>
    (await fetch(`${site.origin}/media/videos/${id}/${SEGMENT_FORMAT}/source/1.m4s`)).status
  const storage = join(site.context.config.dataDir, 'storage')
  // a concurrent write would create a new storage
  await untilEncodingEnds(site)
  await rename(storage, `${storage}-away`)
  const without = await status()
  await rename(`${storage}-away`, storage)
  expect([without, await status()]).toEqual([503, 200])
})

test('a deleted video has no playlist in any process', async () => {
  const other = await createTestApp({ databaseUrl: site.databaseUrl })
  onTestFinished(() => other.close())
  const { id } = await publish('deleted.mp4', h264)
  const statuses = () =>
    Promise.all(
      [site, other].map(
        async ({ origin }) => (await fetch(`${origin}/media/videos/${id}/master.m3u8`)).status,
      ),
    )
  expect(await statuses()).toEqual([200, 200])
  await deleteAnyVideo(site.context, id)
  // cached lookups expire after a second
  await expect.poll(statuses).toEqual([404, 404])
})

test('a lookup that began before a change is not cached', async () => {
  const { id } = await publish('changed.mp4', h264)
  const presentations = new Presentations(site.context)
  const asked = presentations.get(id)
  await deleteAnyVideo(site.context, id)
  site.context.cacheTags.clear(['videos'])
  await asked
  await expect(presentations.get(id)).rejects.toMatchObject({ code: 'not_found' })
})

test('concurrent lookups of a presentation share one query', async () => {
  const { id } = await publish('crowd.mp4', h264)
  let asked = 0
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      asked += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const presentations = new Presentations({ ...site.context, db: site.context.db.withPlugin(counting) })
  const crowd = () => Promise.all(Array.from({ length: 50 }, () => presentations.get(id)))
  await crowd()
  await crowd()
  expect(asked).toBe(1)
  site.context.cacheTags.clear(['videos'])
  await crowd()
  expect(asked).toBe(2)
  const failed = await Promise.allSettled([presentations.get('nothing'), presentations.get('nothing')])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(presentations.get('nothing')).rejects.toMatchObject({ code: 'not_found' })
  // failures are not cached
  expect(asked).toBe(4)
})

test('an evicted source is closed after its last reader', async () => {
  const { id } = await publish('room.mp4', h264)
  const playing = await new Presentations(site.context).get(id)
  const sources = new OpenSources(site.context)
  const segment = await sources.read(playing, async (remuxer) => {
    for (let other = 0; other < 40; other += 1) {
      await sources.read({ ...playing, id: `other${other}` }, (one) => one.videoInit())
    }
    const { passthrough } = playing.presentation
    return passthrough && remuxer.videoSegment(passthrough, 1)
  })
  expect(segment?.length).toBeGreaterThan(1000)
  sources.close()
})

test('a source is opened early, and errors are reported to the request that needs it', async () => {
  const { id } = await publish('early.mp4', `${h264} -c:a aac`)
  const playing = await new Presentations(site.context).get(id)
  const sources = new OpenSources(site.context)
  await sources.openEarly(playing)
  expect((await sources.read(playing, (remuxer) => remuxer.videoInit())).length).toBeGreaterThan(100)
  const gone = { ...playing, id: 'gone', sourceKey: 'sources/gone' }
  await sources.openEarly(gone)
  await expect(sources.read(gone, (remuxer) => remuxer.videoInit())).rejects.toMatchObject({ code: 'ENOENT' })
  sources.close()
})

test('a read that takes too long is aborted', async () => {
  const { id } = await publish('endless.mp4', h264)
  const playing = await new Presentations(site.context).get(id)
  const sources = new OpenSources(site.context, { readMs: 1 })
  let given: SourceRemuxer | undefined
  const endless = sources.read(playing, (remuxer) => {
    given = remuxer
    return new Promise(() => undefined)
  })
  await expect(endless).rejects.toMatchObject({ code: 'unavailable' })
  // other readers are aborted too
  await expect(given?.videoInit()).rejects.toThrow('closed')
  sources.close()
})

test('prepares every rendition, the audio and the storyboard', { timeout: 240_000 }, async () => {
  const { id } = await publish('prepared.webm', '-c:v libvpx -deadline realtime -cpu-used 8 -c:a libopus')
  // segments next to the stored one are missing
  await site.storage.put(
    `segments/${id}/${SEGMENT_FORMAT}/240/1.m4s`,
    Buffer.from('what caches have for a year'),
  )
  const master = async () => {
    const response = await fetch(`${site.origin}/media/videos/${id}/master.m3u8`)
    return { etag: response.headers.get('etag'), ...checkMaster(await response.text()) }
  }
  const statedBefore = await master()
  await prepareVideo(site.context, id)
  await expect
    .poll(async () => (await getVideo(site.db, id)).processing, { timeout: 200_000 })
    .toEqual({
      state: 'ready',
      progress: 1,
      reason: null,
    })
  const stored = []
  for await (const { key } of site.storage.list(`segments/${id}/`))
    stored.push(key.replace(`segments/${id}/${SEGMENT_FORMAT}/`, ''))
  expect(stored.toSorted()).toEqual(
    ['144', '240', '360', 'audio-0-low', 'audio-0']
      .flatMap((track) => ['0.m4s', '1.m4s', '2.m4s', 'init.mp4'].map((file) => `${track}/${file}`))
      .concat('storyboard2/0.jpg'),
  )
  const kept = await fetch(`${site.origin}/media/videos/${id}/${SEGMENT_FORMAT}/240/1.m4s`)
  expect(await kept.text()).toBe('what caches have for a year')
  const statedAfter = await master()
  expect(statedAfter.etag).not.toBe(statedBefore.etag)
  const sizeOf = async (track: string) => {
    let bytes = 0
    for await (const { key, sizeBytes } of site.storage.list(`segments/${id}/${SEGMENT_FORMAT}/${track}/`))
      if (key.endsWith('.m4s')) bytes += sizeBytes
    return bytes
  }
  const seconds = (await getVideo(site.db, id)).duration
  for (const [at, { uri, height, bandwidth, averageBandwidth }] of statedAfter.variants.entries()) {
    if (height >= 360) continue
    // the variants of the second audio group follow those of the first
    const audio = at < statedAfter.variants.length / 2 ? 'audio-0' : 'audio-0-low'
    const bytes = (await sizeOf(uri.split('/')[1] ?? '')) + (await sizeOf(audio))
    expect(averageBandwidth).toBeCloseTo((bytes * 8) / seconds, -3)
    expect(bandwidth).toBeLessThan(statedBefore.variants[at]?.bandwidth ?? 0)
  }
  const vtt = await (await fetch(`${site.origin}/media/videos/${id}/storyboard.vtt`)).text()
  const [sheet] = /^\S+jpg/m.exec(vtt) ?? []
  const response = await fetch(`${site.origin}/media/videos/${id}/${sheet}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
})

test('captions are extracted on request and served as WebVTT', async () => {
  const captionText = '-i @en.srt -map 0 -map 1 -map 2 -map 2 -c:s mov_text'
  const language = '-metadata:s:s:0 language=eng -metadata:s:s:1 language=fra -disposition:s 0'
  const english = '1\n00:00:01,000 --> 00:00:03,000\n1 < 2 & more\n'
  const { id } = await publishSource(
    site,
    'words.mp4',
    `${captionText} ${h264} ${language}`,
    '640x360',
    undefined,
    {
      'en.srt': english,
    },
  )
  const { captions } = await getVideo(site.db, id)
  const base = `/media/videos/${id}/${SEGMENT_FORMAT}/captions`
  expect(captions).toEqual([
    { url: `${base}/0.vtt`, language: 'en', label: 'English', isAutomatic: false },
    { url: `${base}/1.vtt`, language: 'fr', label: 'French', isAutomatic: false },
  ])
  const response = await fetch(`${site.origin}${captions[1]?.url}`)
  expect([
    response.status,
    response.headers.get('content-type'),
    response.headers.get('x-content-type-options'),
  ]).toEqual([200, 'text/vtt; charset=utf-8', 'nosniff'])
  expect(await response.text()).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:03.000\n1 &lt; 2 &amp; more\n')
  await brokenCopies(id, 3)
  // What the storage cannot read is tried again, and holds up no other video.
  await expect(indexFileCaptions.handle({}, site.context, AbortSignal.timeout(60_000))).rejects.toMatchObject(
    {
      code: 'ELOOP',
    },
  )
  const found = await site.client().call(findMoments, { query: { text: '2 more' } })
  expect(found.map(({ video, text, startSeconds }) => [video._id, text, startSeconds])).toEqual([
    [id, '1 < 2 & more', 1],
  ])
  const nothing = ['2.vtt', '0.m4s', '0.jpg', 'init.mp4', 'index.m3u8', '01.vtt', '-1.vtt']
  for (const file of nothing) expect((await fetch(`${site.origin}${base}/${file}`)).status, file).toBe(404)
})

/** Videos with the same tracks, whose files the storage cannot read. */
async function brokenCopies(id: string, count: number): Promise<void> {
  const { ownerId, source } = await site.db
    .selectFrom('videos')
    .select(['ownerId', 'source'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await symlink('loop', join(site.context.config.dataDir, 'storage/sources/loop'))
  for (let copy = 0; copy < count; copy++) {
    const broken = await addVideo(site, ownerId, {
      source: JSON.stringify(source),
      sourceKey: 'sources/loop',
    })
    onTestFinished(async () => void (await site.db.deleteFrom('videos').where('id', '=', broken).execute()))
  }
}

test('a video without a list of captions has none', async () => {
  const { id } = await publish('older.mp4', h264)
  await sql`update videos set source = source - 'captions' where id = ${id}`.execute(site.db)
  expect((await getVideo(site.db, id)).captions).toEqual([])
  expect((await fetch(`${site.origin}/media/videos/${id}/${SEGMENT_FORMAT}/captions/0.vtt`)).status).toBe(404)
})

test('segments are encoded again after the whole cache was deleted', { tags: ['nightly'] }, async () => {
  const { id } = await publish('evicted.mp4', h264)
  const base = `${site.origin}/media/videos/${id}/`
  const before = await readTrack(base, `${SEGMENT_FORMAT}/240/index.m3u8`)
  await site.storage.delete('segments/')
  expect(await readTrack(base, `${SEGMENT_FORMAT}/240/index.m3u8`)).toEqual(before)
  expect(before.length).toBeGreaterThan(0)
})

test(
  'a truncated video plays up to the truncation, and its owner is notified',
  { timeout: 240_000 },
  async () => {
    // an incomplete download in preallocated space: the index is complete, the frames are not
    const { id } = await publishSource(
      site,
      'truncated.mp4',
      `${h264} -movflags +faststart`,
      '426x240',
      (bytes) => bytes.fill(0, Math.round(bytes.length * 0.6)),
    )
    const base = `${site.origin}/media/videos/${id}/`
    const first = [new URL(`${base}${SEGMENT_FORMAT}/240/0.m4s`)]
    const kept = await readFrames(first)
    // viewers play the passthrough rendition with the original duration
    await readFrames([
      new URL(`${base}${SEGMENT_FORMAT}/source/0.m4s`),
      new URL(`${base}${SEGMENT_FORMAT}/audio-0/0.m4s`),
    ])
    expect((await fetch(`${base}${SEGMENT_FORMAT}/240/2.m4s`)).status).toBe(503)
    await expect
      .poll(async () => (await getVideo(site.db, id)).processing, { timeout: 200_000 })
      .toMatchObject({ state: 'ready', reason: expect.stringMatching(/^The file is truncated at 00:0[56] /) })
    const { duration } = await getVideo(site.db, id)
    expect(duration).toBeGreaterThan(5)
    expect(duration).toBeLessThan(7)

    // web processes cache presentations for a second
    await expect
      .poll(async () => (await fetch(`${base}${SEGMENT_FORMAT}/240/2.m4s`)).status, { timeout: 60_000 })
      .toBe(404)
    for (const uri of urisOf(await (await fetch(`${base}master.m3u8`)).text())) {
      const playlist = await (await fetch(base + uri)).text()
      const lengths = [...playlist.matchAll(/^#EXTINF:([\d.]+)/gm)].map(([, length]) => Number(length))
      expect(Math.abs(lengths.reduce((sum, length) => sum + length, 0) - duration)).toBeLessThan(0.05)
      const frames = await readTrack(base, uri)
      expect(new Set(frames).size).toBe(frames.length)
      const framesPerSecond = uri.includes('audio') ? 48_000 / 1024 : 25
      expect(Math.abs(frames.length - duration * framesPerSecond)).toBeLessThan(2)
    }
    expect(await readFrames(first)).toEqual(kept)
  },
)

test(
  'a video with a damaged beginning starts at the first frame that can be decoded, and its owner is notified',
  { timeout: 240_000, tags: ['nightly'] },
  async () => {
    // damages the first of four keyframes, and more
    const { id } = await publishSource(
      site,
      'beginning.mp4',
      `${h264} -g 60 -movflags +faststart`,
      '426x240',
      (bytes) => bytes.fill(0, bytes.indexOf('mdat') + 4, Math.round(bytes.length * 0.15)),
    )
    await prepareVideo(site.context, id)
    await expect
      .poll(async () => (await getVideo(site.db, id)).processing, { timeout: 200_000 })
      .toMatchObject({
        state: 'ready',
        reason: expect.stringMatching(
          /^The file is damaged in its first 00:0\d; playback starts after that\.$/,
        ),
      })
    const base = `${site.origin}/media/videos/${id}/`
    expect((await fetch(`${base}${SEGMENT_FORMAT}/240/0.m4s`)).status).toBe(200)
    expect((await fetch(`${base}${SEGMENT_FORMAT}/source/index.m3u8`)).status).toBe(404)
    const frames = await readTrack(base, `${SEGMENT_FORMAT}/240/index.m3u8`)
    expect(Math.min(...frames)).toBe(0)
  },
)

test('the owner is notified of damaged audio', { timeout: 240_000, tags: ['nightly'] }, async () => {
  const idle = await createTestApp({ settings: { PREPARE_POLICY: 'all' } })
  try {
    // only audio after the end of the video
    const { id } = await publishSource(idle, 'silent.mp4', `${h264} -vf trim=end=4`, '320x240', (bytes) => {
      const index = bytes.lastIndexOf('moov')
      bytes.fill(0xa5, index - 25_000, index - 15_000)
    })
    await prepareRun.handle({ videoId: id, run: 0 }, idle.context, new AbortController().signal)
    const { processing } = await getVideo(idle.db, id)
    expect(processing).toMatchObject({
      state: 'ready',
      reason: expect.stringMatching(/^Its audio is damaged from 00:0\d to 00:0\d and silent there\.$/),
    })
    // running it again reports nothing twice
    await prepareRun.handle({ videoId: id, run: 0 }, idle.context, new AbortController().signal)
    expect((await getVideo(idle.db, id)).processing).toEqual(processing)
  } finally {
    await idle.close()
  }
})

test(
  'a video is ready even if the disk fills up during its preparation',
  { timeout: 240_000, tags: ['nightly'] },
  async () => {
    const idle = await createTestApp({ settings: { PREPARE_POLICY: 'all' } })
    try {
      // fifty seconds: two runs
      const slow = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -vf setpts=5*PTS -an'
      const { id } = await publish('churn.mp4', slow, idle)
      const full = { ...idle.context, config: { ...idle.context.config, cacheMaxBytes: 1 } }
      await idle.storage.put(`segments/${id}/${SEGMENT_FORMAT}/240/0.m4s`, Buffer.alloc(1000))
      const { signal } = new AbortController()
      await prepareRun.handle({ videoId: id, run: 0 }, full, signal)
      expect((await getVideo(idle.db, id)).processing).toMatchObject({ state: 'processing', progress: 0.5 })
      await idle.storage.delete('segments/')
      await prepareRun.handle({ videoId: id, run: 1 }, idle.context, signal)
      expect((await getVideo(idle.db, id)).processing).toMatchObject({ state: 'ready', progress: 1 })
      const made = new Set<string>()
      for await (const { key } of idle.storage.list('segments/')) made.add(key.split('/').at(-1) ?? '')
      expect([...made].toSorted()).toEqual(['10.m4s', '11.m4s', '12.m4s', '8.m4s', '9.m4s'])
    } finally {
      await idle.close()
    }
  },
)

test(
  'evicts whole tracks, but no sources and no tracks that are being watched',
  { timeout: 240_000 },
  async () => {
    const { id } = await publish('budget.mp4', h264)
    const url = `${site.origin}/media/videos/${id}/${SEGMENT_FORMAT}/240/0.m4s`
    expect((await fetch(url)).status).toBe(200)
    const noted = () => site.db.selectFrom('trackUses').select('track').where('videoId', '=', id).execute()
    await expect.poll(noted).toEqual([{ track: '240' }])
    await untilEncodingEnds(site)
    const left = async (prefix: string) => {
      const keys = []
      for await (const { key } of site.storage.list(prefix)) keys.push(key)
      return keys
    }
    site.clock.advance(14 * 60_000)
    await site.storage.put(`segments/${id}/older/240/0.m4s`, Buffer.from('of another version'))
    expect(await evict(site.context, 1, new AbortController().signal)).toBe('of another version'.length)
    expect(await left(`segments/${id}/older/`)).toEqual([])
    await evict(site.context, Number.MAX_SAFE_INTEGER, new AbortController().signal)
    expect(await left(`segments/${id}/`)).toEqual([`segments/${id}/${SEGMENT_FORMAT}/240/0.m4s`])
    site.clock.advance(2 * 60_000)
    expect(await evict(site.context, Number.MAX_SAFE_INTEGER, new AbortController().signal)).toBeGreaterThan(
      0,
    )
    expect(await left(`segments/${id}/`)).toEqual([])
    expect((await fetch(`${site.origin}/media/videos/${id}/source.mp4`, { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(url)).status).toBe(200)
  },
)

test('returns 503 with Retry-After for a segment that is not encoded in time', async () => {
  const idle = await createTestApp({ settings: { SEGMENT_WAIT_SECONDS: '1', LOG_LEVEL: 'silent' } })
  try {
    const { id } = await publish('idle.mp4', h264, idle)
    const response = await fetch(`${idle.origin}/media/videos/${id}/${SEGMENT_FORMAT}/240/0.m4s`)
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await fetch(`${idle.origin}/media/videos/${id}/${SEGMENT_FORMAT}/source/0.m4s`)).status).toBe(200)
  } finally {
    await idle.close()
  }
})

test.each([
  ['the file is broken', new FfmpegError(['ffmpeg'], 1, 'broken', { timedOut: false, wasKilled: false })],
  ['their workers were killed', new LastAttemptInterrupted()],
  ['the last one took too long', new DOMException('The operation timed out', 'TimeoutError')],
])('all processes refuse a segment for a while after its attempts if %s', async (_, error) => {
  const settings = { SEGMENT_WAIT_SECONDS: '1', LOG_LEVEL: 'silent' }
  const idle = await createTestApp({ settings })
  onTestFinished(() => idle.close())
  const { id } = await publish('refused.mp4', h264, idle)
  const segment = { videoId: id, folder: SEGMENT_FORMAT, track: '240', part: 0, niceness: 0 }
  const status = async () =>
    (await fetch(`${idle.origin}/media/videos/${id}/${SEGMENT_FORMAT}/240/0.m4s`)).status
  const countJobs = async () =>
    (await sql`select from pgboss.job where name = ${encodeSegment.name}`.execute(idle.db)).rows.length
  // while nobody waits
  await encodeSegment.giveUp?.(segment, idle.context, error)
  await expect.poll(status, { timeout: 60_000 }).toBe(404)
  await sql`delete from pgboss.job where name = ${encodeSegment.name}`.execute(idle.db)
  expect([await status(), await countJobs()]).toEqual([404, 0])
  // prepared meanwhile
  await idle.storage.put(`segments/${id}/${SEGMENT_FORMAT}/240/0.m4s`, Buffer.from('encoded'))
  expect(await status()).toBe(200)
})

test('serves ranges of the uploaded file', async () => {
  const { id, bytes } = await publish('ranges.mp4', h264)
  const url = `${site.origin}/media/videos/${id}/source.mp4`
  const whole = await fetch(url)
  expect(whole.status).toBe(200)
  expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'accept-ranges': 'bytes',
    'content-type': 'video/mp4',
    'x-content-type-options': 'nosniff',
    'content-length': String(bytes.length),
  })

  const part = await fetch(url, { headers: { range: 'bytes=1000-1999' } })
  expect(part.status).toBe(206)
  expect(part.headers.get('content-range')).toBe(`bytes 1000-1999/${bytes.length}`)
  expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(1000, 2000))).toBe(true)

  const beyond = await fetch(url, { headers: { range: `bytes=${bytes.length}-` } })
  expect(beyond.status).toBe(416)
  expect(beyond.headers.get('content-range')).toBe(`bytes */${bytes.length}`)
  expect(beyond.headers.get('cache-control')).toBe('no-store')

  const etag = whole.headers.get('etag') ?? ''
  expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
  expect((await fetch(url, { headers: { 'if-match': '"other"' } })).status).toBe(412)
  const stale = await fetch(url, { headers: { range: 'bytes=0-9', 'if-range': '"other"' } })
  expect(stale.status).toBe(200)
  await stale.arrayBuffer()

  const head = await fetch(url, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)])
})

test.each(['master.m3u8', 'source.mp4', `${SEGMENT_FORMAT}/240/index.m3u8`])(
  '%s of an unknown video returns 404',
  async (file) => {
    for (const id of ['nobody', '%00', 'x'.repeat(90)]) {
      expect((await fetch(`${site.origin}/media/videos/${id}/${file}`)).status).toBe(404)
    }
  },
)

test('unknown tracks and segments return 404', async () => {
  const { id } = await publish('limits.mp4', h264)
  const files = [
    'source.webm',
    `${SEGMENT_FORMAT}/1080/index.m3u8`,
    `${SEGMENT_FORMAT}/240/3.m4s`,
    `${SEGMENT_FORMAT}/240/x.m4s`,
    '0/240/0.m4s',
    `${SEGMENT_FORMAT}/..%2F240/0.m4s`,
  ]
  const responses = await Promise.all(files.map((file) => fetch(`${site.origin}/media/videos/${id}/${file}`)))
  expect(responses.map((response) => response.status)).toEqual(files.map(() => 404))
})

test('resumes the preparation of a video without a job', { timeout: 240_000 }, async () => {
  const { id } = await publish('given-up.mp4', h264)
  expect((await getVideo(site.db, id)).processing.state).toBe('processing')
  await resumePreparation.handle({}, site.context, AbortSignal.timeout(200_000))
  await expect
    .poll(async () => (await getVideo(site.db, id)).processing.state, { timeout: 200_000 })
    .toBe('ready')
  expect(await site.context.jobs.listIdle([resumePreparation], [id])).toEqual([id])
})
