import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { h264, publishSource } from '../../../testing/fixtures/test-sources.ts'
import { untilEncodingEnds } from '../../../testing/fixtures/playback-work.ts'
import { playbackJobs } from './jobs.ts'

/** No worker runs at first: what is requested stays in the queue. */
let site: TestApp

beforeAll(async () => {
  site = await createTestApp({ settings: { TRUST_PROXY: 'true', SEGMENT_WAIT_SECONDS: '100' } })
})
afterAll(() => site.close())

function request(address: string, id: string, file: string, signal?: AbortSignal): Promise<Response> {
  const headers = { range: 'bytes=0-0', 'x-forwarded-for': address }
  return fetch(`${site.origin}/media/videos/${id}/${SEGMENT_FORMAT}/${file}`, {
    headers,
    ...(signal ? { signal } : {}),
  })
}

/** Requests many different segments. Refused requests end, the others wait until `stop`. */
function flood(addresses: string[], id: string, segments = 150) {
  const stop = new AbortController()
  const refused: Response[] = []
  const all = Array.from({ length: segments }, async (_, i) => {
    const address = addresses[i % addresses.length] ?? ''
    const response = await request(address, id, `36/${i}.m4s`, stop.signal).catch(() => undefined)
    if (response?.status === 503) refused.push(response)
  })
  return { refused, stop: () => stop.abort(), all: Promise.all(all) }
}

async function listQueue(): Promise<{ videoId: string; state: string; place: number }[]> {
  const { rows } = await sql<{ videoId: string; state: string; place: number }>`
    select data->>'videoId' as video_id, state::text as state, rank() over (order by started_on)::int as place
    from pgboss.job where name = 'playback.make_segment'`.execute(site.db)
  return rows
}

/** Ten minutes at a tiny resolution. */
const publishLong = () => publishSource(site, 'long.mp4', `-vf setpts=60*PTS -an ${h264}`, '64x36')

test('waiting segments are bounded, and withdrawn when all clients disconnect', async () => {
  const { id } = await publishLong()
  const ofOne = flood(['192.0.2.1'], id)
  await expect.poll(() => ofOne.refused.length).toBe(150 - 16)
  expect(Number(ofOne.refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  const ofMany = flood(['192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5'], id)
  await expect.poll(async () => (await listQueue()).length).toBe(32)
  ofOne.stop()
  ofMany.stop()
  await expect.poll(listQueue).toEqual([])
})

test('a flood of one video does not delay the viewer of another', async () => {
  const [slow, watched] = [await publishLong(), await publishSource(site, 'watched.mp4', h264)]
  const attack = flood(['192.0.2.1', '192.0.2.2'], slow.id)
  await expect.poll(async () => (await listQueue()).length).toBe(32)
  const responses = ['240/init.mp4', '240/0.m4s'].map((file) => request('192.0.2.9', watched.id, file))
  await expect.poll(async () => (await listQueue()).length).toBe(34)
  await site.context.jobs.work(
    playbackJobs.filter(({ name }) => name === 'playback.make_segment'),
    site.context,
  )
  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([206, 206])
  const places = (await listQueue()).filter(({ videoId }) => videoId === watched.id).map(({ place }) => place)
  // next to the two per address that have priority, and jobs that workers fetch at the same moment
  expect(Math.max(...places)).toBeLessThanOrEqual(6)
  attack.stop()
  await attack.all
  // running jobs must not write to a deleted storage
  await untilEncodingEnds(site)
})
