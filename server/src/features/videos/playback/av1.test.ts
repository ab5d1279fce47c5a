import { replaceFile } from '@kinora/contract/videos/uploads.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import { checkMaster } from '@kinora/media/testing/check-playlists.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { h264, publishSource } from '../../../testing/fixtures/test-sources.ts'
import { append, begin, upload } from '../../../testing/fixtures/test-uploads.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { getVideo } from '../videos/queries/videos.ts'
import { encodeAv1 } from './jobs.ts'
import { POPULAR } from './rules.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({
    worker: true,
    settings: { AV1: 'true', SEGMENT_WAIT_SECONDS: '100', LOG_LEVEL: 'silent' },
  })
})
afterAll(() => site.close())

/** A prepared video of nine seconds, with the bytes of its file. */
async function publishSmall() {
  const published = await publishSource(site, 'small.mp4', `${h264} -t 9`, '64x64')
  const ready = { processingState: 'ready' } as const
  await site.db.updateTable('videos').set(ready).where('id', '=', published.id).execute()
  return published
}

/** A prepared video, viewed so many times today, yesterday and so on. */
async function publish(viewsOfDays: number[]): Promise<string> {
  const { id } = await publishSmall()
  await view(id, viewsOfDays)
  return id
}

async function view(id: string, viewsOfDays: number[]): Promise<void> {
  for (const [daysAgo, views] of viewsOfDays.entries())
    await sql`insert into daily_views (video_id, day, views)
      values (${id}, current_date - ${daysAgo}::int, ${views})`.execute(site.db)
}

const work = () => encodeAv1.handle({}, site.context, new AbortController().signal)

const get = (id: string, file: string, app = site) => fetch(`${app.origin}/media/videos/${id}/${file}`)

const statusOf = async (id: string, file: string, app = site) => (await get(id, file, app)).status

/** Web processes know of AV1 within a second. */
const untilOffered = (id: string) => expect.poll(() => statusOf(id, 'av1.m3u8')).toBe(200)

const segment = `${SEGMENT_FORMAT}/av1-64`

test('offers AV1 of a popular video once all of it is encoded', async () => {
  const id = await publish([1, POPULAR.minViews - 1])
  const rare = await publish([POPULAR.minViews - 1])
  // is tried first, and keeps no other one from its turn
  const unplanned = await publish([2 * POPULAR.minViews])
  await sql`update videos set source = source - 'video' where id = ${unplanned}`.execute(site.db)
  const past = await publish([0, 0, 0, 0, 0, 0, 0, POPULAR.minViews])
  const hidden = await publish([POPULAR.minViews])
  await site.db.updateTable('videos').set({ visibility: 'unlisted' }).where('id', '=', hidden).execute()
  const ordinary = await (await get(id, 'master.m3u8')).text()
  expect((await get(id, 'master.m3u8')).headers.get('link')).toBeNull()
  // not even on request
  for (const file of ['av1.m3u8', `${segment}/index.m3u8`, `${segment}/0.m4s`])
    expect(await statusOf(id, file), file).toBe(404)

  await work()
  await untilOffered(id)
  for (const other of [rare, past, hidden]) expect(await statusOf(other, 'av1.m3u8')).toBe(404)
  const master = await get(id, 'master.m3u8')
  expect(await master.text()).toBe(ordinary)
  expect(master.headers.get('link')).toMatch(
    /^<av1\.m3u8>; rel="alternate"; codecs="av01\.0\.00M\.08"; width=64; height=64; framerate=25\.000; bitrate=\d+$/,
  )
  const text = await (await get(id, 'av1.m3u8')).text()
  const { problems, variants } = checkMaster(text)
  expect(problems).toEqual([])
  expect(variants).toMatchObject([{ uri: `${segment}/index.m3u8`, width: 64, height: 64 }])
  const stored = async (part: string) =>
    Buffer.from(await (await get(id, `${segment}/${part}`)).arrayBuffer())
  const parts = await Promise.all(['0.m4s', '1.m4s', '2.m4s'].map(stored))
  const measured = parts.reduce((sum, part) => sum + part.length * 8, 0) / 9
  const { averageBps } = await site.db
    .selectFrom('trackBitrates')
    .select('averageBps')
    .where('track', '=', 'av1-64')
    .executeTakeFirstOrThrow()
  expect(averageBps / measured).toBeCloseTo(1, 1)

  // evicted parts are encoded when they are requested
  await site.storage.delete(`segments/${id}/${segment}/`)
  expect((await stored('1.m4s')).length).toBeGreaterThan(100)
  expect((await stored('init.mp4')).includes('av1C')).toBe(true)
})

test('a replaced file has no AV1 until its own is encoded', { tags: ['nightly'] }, async () => {
  const { client } = await signUp(site)
  const { bytes: clip } = await publishSmall()
  const { _id: id } = await upload(client, 'Replaced', clip)
  await view(id, [POPULAR.minViews])
  const untilReady = () =>
    expect
      .poll(async () => (await getVideo(site.db, id)).processing.state, { timeout: 100_000 })
      .toBe('ready')
  await untilReady()
  await work()
  await untilOffered(id)
  const path = await begin(client, clip.length)
  await append(client, path, 0, clip)
  const uploadId = path.split('/').at(-1) ?? ''
  await client.call(replaceFile, { params: { id }, body: { uploadId } })
  expect(await statusOf(id, 'av1.m3u8')).toBe(404)
  expect((await get(id, 'master.m3u8')).headers.get('link')).toBeNull()
  await untilReady()
  await work()
  await untilOffered(id)
  expect(await (await get(id, 'av1.m3u8')).text()).toContain(
    `${SEGMENT_FORMAT}v${uploadId}/av1-64/index.m3u8`,
  )
})

test('videos that are being prepared go first', async () => {
  const id = await publish([POPULAR.minViews])
  const other = await publish([])
  await site.db.updateTable('videos').set({ processingState: 'processing' }).where('id', '=', other).execute()
  await work()
  expect(await statusOf(id, 'av1.m3u8')).toBe(404)
  await site.db.updateTable('videos').set({ processingState: 'ready' }).where('id', '=', other).execute()
  await work()
  await untilOffered(id)
})

test('a video that cannot be encoded is tried again after a day', { tags: ['nightly'] }, async () => {
  const id = await publish([POPULAR.minViews])
  // ffmpeg does not find what this states
  await sql`update videos set source = jsonb_set(source, '{container}', '"webm"') where id = ${id}`.execute(
    site.db,
  )
  await work()
  await sql`update videos set source = jsonb_set(source, '{container}', '"mp4"') where id = ${id}`.execute(
    site.db,
  )
  await work()
  expect(await statusOf(id, 'av1.m3u8')).toBe(404)
  await sql`update av1_ladders set tried_at = now() - interval '1 day' where video_id = ${id}`.execute(
    site.db,
  )
  await work()
  await untilOffered(id)
})

test('AV1 is off by default', async () => {
  const id = await publish([POPULAR.minViews])
  await work()
  expect(await statusOf(id, `${segment}/0.m4s`)).toBe(200)
  const off = await createTestApp({ databaseUrl: site.databaseUrl })
  onTestFinished(() => off.close())
  for (const name of ['av1.m3u8', `${segment}/index.m3u8`, `${segment}/0.m4s`])
    expect(await statusOf(id, name, off), name).toBe(404)
  expect((await get(id, 'master.m3u8', off)).headers.get('link')).toBeNull()
  const other = await publish([POPULAR.minViews])
  await encodeAv1.handle({}, off.context, new AbortController().signal)
  expect(await statusOf(other, 'av1.m3u8')).toBe(404)
})
