import { addComment, putWatchedWords } from '@kinora/contract/conversation/comments.ts'
import { createPlaylist } from '@kinora/contract/watching/playlists.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertChunk } from '../features/live/live-streams/queries/chunks.ts'
import { insertStream } from '../features/live/live-streams/queries/streams.ts'
import { insertCaptions } from '../features/videos/captions/queries.ts'
import { newId } from '@kinora/platform/ids.ts'
import { createTestApp, type TestApp } from './fixtures/test-app.ts'
import { signUp } from './fixtures/test-users.ts'
import { addManyVideos, addVideo } from './fixtures/test-videos.ts'

/**
 * Processor time of the web process for the most expensive requests of one visitor and of one account. The server, this test and its
 * client share a thread, so the limits are higher than the budget of docs/security.md.
 */

const maxCpuSeconds = 0.3

let site: TestApp
let owner: Awaited<ReturnType<typeof signUp>>
const measured: Record<string, number> = {}

beforeAll(async () => {
  site = await createTestApp({ settings: { SEARCHES_PER_MINUTE: '1000', REQUESTS_PER_MINUTE: '10000' } })
  owner = await signUp(site)
})
afterAll(async () => {
  await site.close()
  console.table(measured)
})

/** Processor seconds of this thread for one request, the best of three. */
async function costOf(
  what: string,
  request: () => Promise<{ status: number }>,
  expected: number,
): Promise<number> {
  const costs: number[] = []
  for (let round = 0; round < 4; round += 1) {
    const before = process.threadCpuUsage()
    const { status } = await request()
    const { user, system } = process.threadCpuUsage()
    expect([what, status]).toEqual([what, expected])
    costs.push((user + system - before.user - before.system) / 1e6)
  }
  // the first one compiles code and starts processes
  const best = Math.min(...costs.slice(1))
  measured[what] = best
  return best
}

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await site.client().fetch(path, { headers })
  await response.arrayBuffer()
  return response
}

test('refuses two MB of captions at their end', async () => {
  const id = await addVideo(site, owner.user._id)
  const file = `${'0:0.0-->0:0.1\na\n'.repeat(124_000)}0:0.0-->x\n`
  const upload = async () => {
    const form = new FormData()
    form.set('language', 'en')
    form.set('captions', new Blob([file]), 'a.srt')
    return owner.client.fetch(`/api/v1/studio/videos/${id}/captions`, { method: 'POST', body: form })
  }
  expect(await costOf('captions of 2 MB', upload, 400)).toBeLessThan(maxCpuSeconds)
})

test('finds moments in the longest captions', async () => {
  // normalization makes 18 letters of one
  const words = 'ﷺ '.repeat(190_000)
  for (let n = 0; n < 8; n += 1) {
    const videoId = await addVideo(site, owner.user._id)
    const content = `WEBVTT\n\n00:01.000 --> 00:02.000\nferry ${words}\n\n00:05.000 --> 00:06.000\nother\n`
    await insertCaptions(site.db, { id: newId(), videoId, language: 'en', label: 'English', content })
  }
  let request = 0
  const search = () => get(`/api/v1/search/moments?text=ferry${'%20'.repeat(request++)}`)
  expect(await costOf('moments in 8 long captions', search, 200)).toBeLessThan(maxCpuSeconds)
})

test('sends a feed of long descriptions', async () => {
  for (let n = 0; n < 50; n += 1)
    await addVideo(site, owner.user._id, { description: `${n} & ]]> <b>`.repeat(1500), tags: ['long'] })
  const etag = (await get('/feeds/tag/long')).headers.get('etag') ?? ''
  const unchanged = () => get('/feeds/tag/long', { 'if-none-match': etag })
  expect(await costOf('a feed that is unchanged', unchanged, 304)).toBeLessThan(maxCpuSeconds)
  expect(await costOf('a feed', () => get('/feeds/tag/long'), 200)).toBeLessThan(maxCpuSeconds)
})

test('exports the largest playlist', async () => {
  const { _id: id } = await owner.client.call(createPlaylist, { body: { title: 'Everything' } })
  await addManyVideos(site, owner.user._id, 5000)
  await sql`
    insert into playlist_entries (id, playlist_id, video_id, position)
    select ${id} || n, ${id}, ${owner.user._id} || n, 'a' || lpad(n::text, 6, '0') from generate_series(1, 5000) n`.execute(
    site.db,
  )
  const exported = () => owner.client.get(`/api/v1/playlists/${id}/export.json`)
  expect(await costOf('an export of 5,000 entries', exported, 200)).toBeLessThan(maxCpuSeconds)
})

test('lists videos for parameters that do not exist', async () => {
  let request = 0
  const list = () => get(`/api/v1/video/all?limit=200&z=${request++}`)
  expect(await costOf('a list of 200 videos', list, 200)).toBeLessThan(maxCpuSeconds)
})

test('compares the longest comment with the longest list of watched words', async () => {
  const ideograph = (n: number) => String.fromCodePoint(0x4e00 + n)
  const watchedWords = Array.from({ length: 1600 }, (_, n) => ideograph(n) + ideograph(n + 7)).join('\n')
  await owner.client.call(putWatchedWords, { body: { watchedWords, watchedWordsAction: 'hold' } })
  const videoId = await addVideo(site, owner.user._id)
  const { client } = await signUp(site)
  const content = Array.from({ length: 10_000 }, (_, n) => ideograph(n % 1600)).join('')
  const comment = async () => {
    await client.call(addComment, { body: { videoId, content } })
    return { status: 201 }
  }
  expect(await costOf('a comment of 10,000 characters', comment, 201)).toBeLessThan(maxCpuSeconds)
  const marks = 'e\u0301\u0316'.concat('\u0301\u0316'.repeat(4990))
  const marked = async () => {
    await client.call(addComment, { body: { videoId, content: marks } })
    return { status: 201 }
  }
  expect(await costOf('a comment of 10,000 marks', marked, 201)).toBeLessThan(maxCpuSeconds)
})

test('searches for a long run of combining marks', async () => {
  const text = encodeURIComponent('e'.concat('\u0301\u0316'.repeat(2000)))
  let request = 0
  const search = () => get(`/api/v1/video/search/${text}${request++}`)
  expect(await costOf('a search for 4,000 marks', search, 200)).toBeLessThan(maxCpuSeconds)
})

test('indexes runs of combining marks in linear time', async () => {
  const secondsFor = async (pairs: number) => {
    const times: number[] = []
    for (let round = 0; round < 3; round += 1) {
      const { rows } = await sql<{ ms: number }>`
        with started as materialized (select clock_timestamp() as at),
          words as materialized (select search_words(repeat(U&'\\0301\\0316', ${pairs}::int)) as found, at from started)
        select extract(epoch from clock_timestamp() - at)::float8 * 1000 as ms from words`.execute(site.db)
      times.push(rows[0]?.ms ?? 0)
    }
    return Math.min(...times)
  }
  const once = await secondsFor(10_000)
  expect(await secondsFor(80_000)).toBeLessThan(30 * Math.max(once, 10))
})

test('lists the chunks of a stream of twelve hours', async () => {
  const id = await addVideo(site, owner.user._id, { isLive: true })
  const stream = {
    videoId: id,
    channelId: owner.user._id,
    format: '{}',
    init: Buffer.of(1),
    keepsRecording: true,
    isFromBrowser: false,
  }
  const now = site.clock.now()
  await insertStream(site.db, { ...stream, now })
  const count = 21_600
  await sql`
    insert into live_parts (video_id, part, start_micros, end_micros, audio_start_micros, audio_end_micros, position,
      video_bytes, audio_bytes, received_at)
    select ${id}, n, n * 2000000::bigint, (n + 1) * 2000000::bigint, n * 2000000::bigint, (n + 1) * 2000000::bigint, n * 300::bigint,
      200, 100, now() from generate_series(0, ${count - 1}::int) n`.execute(site.db)
  let chunk = 0
  const list = async () => {
    const startMicros = (count * 4 + chunk) * 500_000
    const [endMicros, bytes] = [startMicros + 500_000, Buffer.of(1)]
    const times = { startMicros, endMicros, audioStartMicros: startMicros, audioEndMicros: endMicros }
    await insertChunk(site.db, id, {
      ...times,
      part: count,
      chunk,
      receivedAt: now,
      video: bytes,
      audio: bytes,
    })
    chunk += 1
    return get(`/media/live/${id}/source/low-latency.m3u8?_HLS_msn=${count}&_HLS_part=${chunk - 1}`)
  }
  expect(await costOf('a chunk of a stream of 12 hours', list, 200)).toBeLessThan(maxCpuSeconds)
})
