import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { h264, publishSource } from '../../../testing/fixtures/test-sources.ts'
import { OpenSources } from './actions/open-sources.ts'
import { PassthroughSegments } from './actions/passthrough.ts'
import { Playlists } from './actions/playlists.ts'
import { Presentations } from './actions/presentations.ts'
import { findTrack, passthroughBytes } from './rules.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({ settings: { PREPARE_POLICY: 'none' } })
})
afterAll(() => site.close())

async function readMaster(id: string): Promise<{ status: number; names: (string | undefined)[] }> {
  const response = await fetch(`${site.origin}/media/videos/${id}/master.m3u8`)
  const names = Array.from((await response.text()).matchAll(/NAME="([^"]*)"/g), ([, name]) => name)
  return { status: response.status, names }
}

const languages = ['de-x-abcdefg', 'en-u-ca-budd', 'en-1', 'en-a-a-a-a-a']

test('accepts and plays a video with malformed language tags', async () => {
  const tags = languages.flatMap((language, i) => ['-map 1', `-metadata:s:a:${i} language=${language}`])
  const args = `-map 0 ${tags.join(' ')} -c:v libvpx -deadline realtime -cpu-used 8 -c:a libopus -t 1`
  const { id } = await publishSource(site, 'languages.webm', args, '64x36')
  expect(await readMaster(id)).toEqual({
    status: 200,
    names: ['German', 'English', 'Original 3', 'Original 4'],
  })
})

test('plays a stored video with malformed language tags', async () => {
  const { id } = await publishSource(
    site,
    'earlier.mp4',
    '-c:v libx264 -preset ultrafast -c:a aac -t 1',
    '64x36',
  )
  for (const [language, name] of [
    ['de-x-abcdefg', 'German'],
    ['en-1', 'Original'],
  ]) {
    await sql`update videos set source = jsonb_set(source, '{audio,0,language}', to_jsonb(${language}::text))
      where id = ${id}`.execute(site.db)
    await expect.poll(() => readMaster(id)).toEqual({ status: 200, names: [name] })
  }
})

test('generates a playlist once for all requests', async () => {
  const { id } = await publishSource(site, 'playlist.mp4', h264, '64x36')
  const playlists = new Playlists()
  let written = 0
  const get = async (presentations: Presentations) =>
    playlists.get(await presentations.get(id), 'source', () => `#EXTM3U ${(written += 1)}`)
  const presentations = new Presentations(site.context)
  const [first] = await Promise.all([get(presentations), get(presentations)])
  site.context.cacheTags.clear(['videos'])
  // looked up again with the same result
  expect((await get(presentations)).bytes).toBe(first?.bytes)
  await sql`update videos set source = jsonb_set(source, '{durationSeconds}', '9') where id = ${id}`.execute(
    site.db,
  )
  expect((await get(presentations)).bytes.toString()).toBe('#EXTM3U 2')
})

test('bounds the memory of remuxed segments, and the share of one address', async () => {
  const { id } = await publishSource(site, 'remuxed.mp4', h264)
  const playing = await new Presentations(site.context).get(id)
  const track = findTrack(playing, 'source')
  if (!track) throw new Error('no passthrough rendition')
  const sources = new OpenSources(site.context)
  onTestFinished(() => sources.close())
  // room for one segment per address, and two in total
  const one = passthroughBytes(playing.presentation, track, 0)
  const limits = { maxBytes: 2.5 * one, waitMs: 2000 }
  const passthrough = new PassthroughSegments(site.context, sources, limits)
  const closing = { first: new AbortController(), other: new AbortController() }
  const get = (address: string, closed = new AbortController()) =>
    passthrough.get(playing, track, 0, { address, closed: closed.signal })
  const [first, other] = await Promise.all([get('a', closing.first), get('b', closing.other)])
  // both share one read
  expect(other).toBe(first)
  const refused = await get('a').catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 })
  const third = get('c')
  closing.first.abort()
  expect((await third).equals(first)).toBe(true)
})

test('requests of one byte for many segments do not exhaust memory', async () => {
  const { id } = await publishSource(site, 'bytes.mp4', h264)
  const responses = await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      fetch(`${site.origin}/media/videos/${id}/${SEGMENT_FORMAT}/source/${i % 3}.m4s`, {
        headers: { range: 'bytes=0-0' },
      }),
    ),
  )
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([206]))
})
