import {
  getChannelAnalytics,
  getVideoAnalytics,
  type PlaybackReport,
} from '@kinora/contract/videos/analytics.ts'
import { deleteVideo } from '@kinora/contract/videos/video-deletion.ts'
import { recordView } from '@kinora/contract/videos/videos.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addManyVideos, addVideo } from '../../../testing/fixtures/test-videos.ts'
import { foldPlaybacks } from './actions.ts'
import { takePending } from './queries.ts'

let site: TestApp
let owner: Awaited<ReturnType<typeof signUp>>

beforeAll(async () => {
  site = await createTestApp({
    settings: { TRUST_PROXY: 'true' },
    constants: { playbackReportsPerMinute: 500, playbackReportsPerNetworkPerHour: 400 },
  })
  site.clock.set(new Date('2026-05-10T10:00:00Z'))
  owner = await signUp(site)
})
afterAll(() => site.close())

const partsUpTo = (count: number) => Array.from({ length: count }, (_, part) => part)

/** A report about the first half of a video of a hundred seconds. */
const half: PlaybackReport = {
  isFirst: true,
  watchedSeconds: 50,
  parts: partsUpTo(50),
  source: 'search',
  captions: null,
  lines: 720,
}

async function send(videoId: string, report: object, address = '192.0.2.1'): Promise<number> {
  const response = await site.client().fetch(`/api/v1/video/${videoId}/playback`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify(report),
  })
  await response.arrayBuffer()
  return response.status
}

const analyticsOf = (id: string, period?: '7' | '28' | '90' | '365' | 'all') =>
  owner.client.call(getVideoAnalytics, { params: { id }, query: { period } })

const addOwnVideo = (fields: object = {}) =>
  addVideo(site, owner.user._id, { durationSeconds: 100, ...fields })

async function foldAll() {
  while ((await foldPlaybacks(site.db, 3)) > 0);
}

test('adds up what viewers watched, the same before and after the job', async () => {
  const id = await addOwnVideo()
  expect(await send(id, half)).toBe(200)
  await send(id, { ...half, isFirst: false, parts: partsUpTo(100).slice(50), captions: 'pt-BR' })
  await send(id, { ...half, source: 'embed', host: 'Example.org', parts: partsUpTo(20), lines: 480 })
  await send(id, { ...half, source: 'direct', parts: partsUpTo(10), watchedSeconds: 10 })
  await site.client().call(recordView, { params: { id } })
  const before = await analyticsOf(id)
  expect(before.totals).toEqual({
    views: 1,
    playbacks: 3,
    watchedSeconds: 160,
    averageShare: (100 + 20 + 10) / 300,
  })
  expect([0, 10, 20, 99].map((part) => before.retention[part])).toEqual([1, 2 / 3, 1 / 3, 1 / 3])
  expect(before.sources).toEqual([
    { source: 'direct', host: null, playbacks: 1 },
    { source: 'embed', host: 'example.org', playbacks: 1 },
    { source: 'search', host: null, playbacks: 1 },
  ])
  expect(before.captions).toEqual([
    { language: null, watchedSeconds: 110 },
    { language: 'pt-br', watchedSeconds: 50 },
  ])
  expect(before.qualities).toEqual([
    { lines: 720, watchedSeconds: 110 },
    { lines: 480, watchedSeconds: 50 },
  ])
  expect(before.days).toHaveLength(28)
  expect(before.days.at(-1)).toEqual({ day: '2026-05-10', views: 1, playbacks: 3, watchedSeconds: 160 })
  await foldAll()
  const rows = await site.db
    .selectFrom('dailyPlaybacks')
    .select('playbacks')
    .where('videoId', '=', id)
    .execute()
  expect(rows).toEqual([{ playbacks: 3 }])
  expect(await analyticsOf(id)).toEqual(before)
  // a later report of the same day is added to the same row
  await send(id, half)
  await foldAll()
  expect((await analyticsOf(id)).totals.playbacks).toBe(4)
})

test('begins retention on the day after a cut, whose parts are others', async () => {
  const id = await addOwnVideo()
  await send(id, half)
  const publishedAt = new Date('2026-05-08T20:00:00Z')
  await site.db.insertInto('videoCuts').values({ videoId: id, publishedAt, keep: null }).execute()
  const { retention, retentionSinceCut } = await analyticsOf(id)
  expect([retention[10], retention[90]]).toEqual([1, 0])
  expect(retentionSinceCut).toEqual({ day: '2026-05-09', playbacks: 1 })
  await site.db
    .updateTable('videoCuts')
    .set({ publishedAt: new Date('2026-05-10T01:00:00Z') })
    .where('videoId', '=', id)
    .execute()
  const today = await analyticsOf(id)
  expect([today.totals.playbacks, today.retention]).toEqual([1, []])
  expect(today.retentionSinceCut).toEqual({ day: '2026-05-11', playbacks: 0 })
  await site.db
    .updateTable('videoCuts')
    .set({ publishedAt: new Date('2026-04-01T01:00:00Z') })
    .where('videoId', '=', id)
    .execute()
  expect((await analyticsOf(id)).retentionSinceCut).toBeUndefined()
})

test('stores nothing about who watched', async () => {
  const { rows } = await sql<{ columnName: string }>`
    select distinct column_name from information_schema.columns
    where table_name in ('pending_playbacks', 'daily_playbacks') order by 1`.execute(site.db)
  expect(rows.map(({ columnName }) => columnName)).toEqual([
    'captions',
    'day',
    'playbacks',
    'qualities',
    'retention',
    'sources',
    'video_id',
    'watched_seconds',
  ])
  const id = await addOwnVideo()
  const response = await owner.client.fetch(`/api/v1/video/${id}/playback`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(half),
  })
  expect([response.status, response.headers.getSetCookie()]).toEqual([200, []])
})

test('shows the days of the period, and all since the first', async () => {
  const id = await addOwnVideo()
  const addDay = (day: string) =>
    sql`insert into daily_playbacks select ${id}, ${day}::date, 1, 50, array_fill(1, array[100]),
      '{"home": 1}', '{"none": 50}', '{"720": 50}'`.execute(site.db)
  for (const day of ['2026-05-04', '2026-05-03', '2026-04-13', '2026-04-12', '2025-01-01']) await addDay(day)
  const playbacks = async (period: '7' | '28' | '90' | '365' | 'all') => {
    const { totals, days } = await analyticsOf(id, period)
    return [totals.playbacks, days.length, days[0]?.day]
  }
  expect(await playbacks('7')).toEqual([1, 7, '2026-05-04'])
  expect(await playbacks('28')).toEqual([3, 28, '2026-04-13'])
  expect(await playbacks('90')).toEqual([4, 90, '2026-02-10'])
  expect(await playbacks('365')).toEqual([4, 365, '2025-05-11'])
  expect(await playbacks('all')).toEqual([5, 495, '2025-01-01'])
})

test('adds up the videos of a channel, and lists those that were watched the longest', async () => {
  const { client, user } = await signUp(site)
  const empty = await client.call(getChannelAnalytics, { query: { period: 'all' } })
  expect(empty).toMatchObject({ totals: { playbacks: 0, averageShare: null }, retention: [], videos: [] })
  expect(empty.days).toEqual([{ day: '2026-05-10', views: 0, playbacks: 0, watchedSeconds: 0 }])
  const [long, short] = [
    await addVideo(site, user._id, { title: 'Long', durationSeconds: 100, visibility: 'unlisted' }),
    await addVideo(site, user._id, { title: 'Short', durationSeconds: 10 }),
  ]
  const opened = await addVideo(site, user._id, { title: 'Only opened' })
  await addVideo(site, user._id, { title: 'Not even opened' })
  await send(short, { ...half, watchedSeconds: 5 })
  await send(long, half)
  await foldAll()
  await site.client().call(recordView, { params: { id: opened } })
  const { videos, totals } = await client.call(getChannelAnalytics, { query: {} })
  expect(totals).toEqual({ views: 1, playbacks: 2, watchedSeconds: 55, averageShare: 0.5 })
  const numbers = { views: 0, playbacks: 1, averageShare: 0.5 }
  expect(videos).toEqual([
    { _id: long, title: 'Long', ...numbers, watchedSeconds: 50 },
    { _id: short, title: 'Short', ...numbers, watchedSeconds: 5 },
    {
      _id: opened,
      title: 'Only opened',
      views: 1,
      playbacks: 0,
      averageShare: null,
      watchedSeconds: 0,
    },
  ])
})

test('adds up a channel of more than 10,000 videos', async () => {
  const { client, user } = await signUp(site)
  await addManyVideos(site, user._id, 10_001)
  await sql`insert into daily_playbacks select id, '2026-05-09'::date, 1, 50, array_fill(1, array[100]),
      '{"home": 1}', '{"none": 50}', '{"720": 50}' from videos where owner_id = ${user._id}`.execute(site.db)
  const { videos, totals, sources } = await client.call(getChannelAnalytics, { query: {} })
  expect(totals).toEqual({ views: 0, playbacks: 10_001, watchedSeconds: 500_050, averageShare: 1 })
  expect(sources).toEqual([{ source: 'home', host: null, playbacks: 10_001 }])
  expect(videos[0]).toMatchObject({ playbacks: 1, watchedSeconds: 50, averageShare: 1 })
})

test('downloads days as CSV', async () => {
  const id = await addOwnVideo()
  await send(id, half)
  for (const path of [`videos/${id}/analytics.csv`, 'analytics.csv']) {
    const { status, text, headers } = await owner.client.get(`/api/v1/studio/${path}?period=7`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    const lines = text.split('\r\n')
    expect([lines[0], lines.length]).toEqual(['day,views,playbacks,watched_seconds', 9])
    expect(lines[7]).toMatch(/^2026-05-10,/)
  }
  expect((await site.client().get('/api/v1/studio/analytics.csv')).status).toBe(401)
  expect((await owner.client.get('/api/v1/studio/analytics.csv?period=8')).status).toBe(400)
})

test('rejects reports that no player sends', async () => {
  const id = await addOwnVideo()
  for (const fields of [
    { parts: [100] },
    { parts: [-1] },
    { parts: [0.5] },
    { parts: Array.from({ length: 101 }, () => 0) },
    { watchedSeconds: -1 },
    { watchedSeconds: 1e9 },
    { source: 'elsewhere' },
    { host: 'a b' },
    { host: 'x'.repeat(201) },
    { host: 'example.org/secret' },
    { captions: 'e\0n' },
    { captions: 'x'.repeat(36) },
    { lines: 1e6 },
  ])
    expect([fields, await send(id, { ...half, ...fields })]).toEqual([fields, 400])
  expect((await analyticsOf(id)).totals.playbacks).toBe(0)
})

test('ignores reports above the limits of a network and an address', async () => {
  const [id, other] = [await addOwnVideo(), await addOwnVideo()]
  const flood = (videoId: string, times: number, address: string) =>
    Promise.all(Array.from({ length: times }, () => send(videoId, half, address)))
  const statuses = await flood(id, 450, '198.51.100.1')
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect((await analyticsOf(id)).totals.playbacks).toBe(400)
  await flood(other, 200, '198.51.100.1')
  expect((await analyticsOf(other)).totals.playbacks).toBe(50)
  await flood(id, 5, '203.0.113.1')
  expect((await analyticsOf(id)).totals.playbacks).toBe(405)
})

test('deletes the numbers with the video', async () => {
  const id = await addOwnVideo()
  await send(id, half)
  await foldAll()
  await send(id, half)
  await owner.client.call(deleteVideo, { params: { id } })
  for (const table of ['pendingPlaybacks', 'dailyPlaybacks'] as const) {
    const rows = await site.db.selectFrom(table).select('day').where('videoId', '=', id).execute()
    expect(rows).toEqual([])
  }
  expect(await send(id, half)).toBe(404)
})

test('adds every report exactly once with several workers, one of which is killed, while more arrive', async () => {
  const ids = [await addOwnVideo(), await addOwnVideo()]
  const watch = (times: number) =>
    Promise.all(Array.from({ length: times }, (_, n) => send(ids[n % 2] ?? '', half, `192.0.2.${n}`)))
  await watch(40)
  const dies = site.db.transaction().execute(async (transaction) => {
    expect((await takePending(transaction, 100)).length).toBeGreaterThan(0)
    throw new Error('out of power')
  })
  await expect(dies).rejects.toThrow('out of power')
  await Promise.all([watch(40), ...Array.from({ length: 6 }, () => foldPlaybacks(site.db, 100))])
  await foldAll()
  const playbacks = await Promise.all(ids.map(async (id) => (await analyticsOf(id)).totals.playbacks))
  expect(playbacks).toEqual([40, 40])
  const pending = await site.db
    .selectFrom('pendingPlaybacks')
    .select('day')
    .where('videoId', 'in', ids)
    .execute()
  expect(pending).toEqual([])
})
