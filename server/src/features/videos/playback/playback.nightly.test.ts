import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { FragmentReader } from '@kinora/media/containers/mp4/fmp4.ts'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import { untilEncodingEnds } from '../../../testing/fixtures/playback-work.ts'
import { readAllTracks, readTrack } from '../../../testing/fixtures/read-tracks.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { h264, publishSource } from '../../../testing/fixtures/test-sources.ts'
import { segmentEnded } from './topics.ts'
import { getVideo } from '../videos/queries/videos.ts'
import { prepareVideo } from './actions/prepare-video.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({ worker: true, settings: { SEGMENT_WAIT_SECONDS: '100' } })
})
afterAll(() => site.close())

test.each([
  ['faststart.mp4', `${h264} -movflags +faststart`, 5],
  ['vp9.webm', '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 50 -c:a libopus', 6],
  ['theora.ogv', '-c:v libtheora -q:v 6 -c:a libvorbis', 5],
])('%s plays in every rendition without preparation', { timeout: 240_000 }, async (name, args, playlists) => {
  const { id } = await publishSource(site, name, args)
  expect(await readAllTracks(`${site.origin}/media/videos/${id}/master.m3u8`)).toBe(playlists)
})

test('the cache may be deleted while segments are encoded and sent', { timeout: 240_000 }, async () => {
  // a segment that is deleted during a request is requested again
  const swept = await createTestApp({ worker: true, settings: { SEGMENT_WAIT_SECONDS: '10' } })
  onTestFinished(() => swept.close())
  const { id } = await publishSource(swept, 'swept.mp4', h264)
  const base = `${swept.origin}/media/videos/${id}/${SEGMENT_FORMAT}/`
  const parts = ['init.mp4', '0.m4s', '1.m4s', '2.m4s']
  /** Retries like a player. */
  const read = async (part: string): Promise<Buffer> => {
    const response = await fetch(`${base}240/${part}`)
    const bytes = Buffer.from(await response.arrayBuffer())
    if (response.status === 200) return bytes
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
    return read(part)
  }
  const readAll = () => Promise.all(parts.map(read))
  const framesOf = (track: Buffer[]) => {
    const shown: number[] = []
    const reader = new FragmentReader(({ samples }) => shown.push(...samples.map(({ pts }) => pts)))
    for (const bytes of track) reader.push(bytes)
    return shown.toSorted((a, b) => a - b)
  }
  const wanted = framesOf(await readAll())
  expect(wanted).toHaveLength(250)
  const { pubsub } = swept.context
  const sweeps: Promise<void>[] = []
  const sweep = () => {
    sweeps.push(swept.storage.delete('segments/'))
    return sweeps.at(-1)
  }
  const unlisten = await Promise.all(
    parts.map((part) =>
      pubsub.subscribe(
        segmentEnded(`segments/${id}/${SEGMENT_FORMAT}/240/${part}`),
        () => void (sweeps.length < 12 && sweep()),
        () => undefined,
      ),
    ),
  )
  await prepareVideo(swept.context, id)
  await sweep()
  const reads = []
  for (let round = 0; round < 4; round += 1) {
    reads.push(await readAll())
    await sweep()
  }
  for (const stop of unlisten) stop()
  await Promise.all(sweeps)
  expect(sweeps.length).toBeGreaterThanOrEqual(5)
  for (const round of reads) expect(framesOf(round)).toEqual(wanted)
  await expect
    .poll(async () => (await getVideo(swept.db, id)).processing.state, { timeout: 200_000 })
    .toBe('ready')
})

test(
  'a video with two gaps shows the last frame during them, and its owner reads their times',
  { timeout: 600_000 },
  async () => {
    // fifty seconds; two parts of the bits are zero, as in an incomplete download: two to three segments each
    const slow = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -vf setpts=5*PTS -g 10 -c:a aac'
    const args = `${slow} -filter:a atempo=0.5,atempo=0.5,atempo=0.8 -movflags +faststart`
    const { id } = await publishSource(site, 'gap.mp4', args, '426x240', (bytes) =>
      bytes
        .fill(0, Math.round(bytes.length * 0.25), Math.round(bytes.length * 0.45))
        .fill(0, Math.round(bytes.length * 0.6), Math.round(bytes.length * 0.78)),
    )
    const base = `${site.origin}/media/videos/${id}/`
    expect((await fetch(`${base}${SEGMENT_FORMAT}/240/5.m4s`)).status).toBe(503)
    // the preparation has the lowest priority, so a busy machine takes minutes
    await untilEncodingEnds(site)
    expect((await getVideo(site.db, id)).processing).toMatchObject({
      state: 'ready',
      reason: expect.stringMatching(
        /^The file is damaged from 00:1\d to 00:2\d, from 00:[23]\d to 00:[34]\d; the picture freezes/,
      ),
    })
    expect((await getVideo(site.db, id)).duration).toBeCloseTo(50, 0)

    // web processes cache presentations for a second
    await expect
      .poll(async () => (await fetch(`${base}${SEGMENT_FORMAT}/240/5.m4s`)).status, { timeout: 60_000 })
      .toBe(200)
    await expect
      .poll(async () => (await fetch(`${base}${SEGMENT_FORMAT}/source/index.m3u8`)).status)
      .toBe(404)
    const frames = (await readTrack(base, `${SEGMENT_FORMAT}/240/index.m3u8`)).map((pts) => pts / 90_000)
    const steps = frames.slice(1).map((time, at) => time - (frames[at] ?? 0))
    expect(frames.at(-1)).toBeGreaterThan(49.8)
    expect(Math.max(...steps)).toBeLessThan(4.1)
    // every frame before and after the gap
    expect(frames.filter((time) => time < 10)).toHaveLength(250)
    expect(frames.filter((time) => time >= 40).length).toBeGreaterThanOrEqual(249)
    expect((await readTrack(base, `${SEGMENT_FORMAT}/audio-0/index.m3u8`)).length).toBeGreaterThan(2300)
  },
)
