import { getWaveform, requestWaveform } from '@kinora/contract/videos/waveforms.ts'
import { deleteVideo } from '@kinora/contract/videos/video-deletion.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { h264, publishSource } from '../../../testing/fixtures/test-sources.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { drawWaveform } from './jobs.ts'

let site: TestApp
let owner: Awaited<ReturnType<typeof signUp>>
/** A video of ten seconds with a tone. */
let id: string
const never = new AbortController().signal

beforeAll(async () => {
  site = await createTestApp()
  owner = await signUp(site)
  const published = await publishSource(site, 'tone.mp4', h264)
  const { source, sourceKey } = await site.db
    .selectFrom('videos')
    .select(['source', 'sourceKey'])
    .where('id', '=', published.id)
    .executeTakeFirstOrThrow()
  await site.db.deleteFrom('videos').where('id', '=', published.id).execute()
  id = await addVideo(site, owner.user._id, {
    source: JSON.stringify(source),
    sourceKey,
    durationSeconds: 10,
  })
})
afterAll(() => site.close())

const draw = (videoId: string) => drawWaveform.handle({ videoId }, site.context, never)
const waiting = async () =>
  (
    await sql<{ data: { videoId: string } }>`
      select data from pgboss.job where name = ${drawWaveform.name} and state < 'active'`.execute(site.db)
  ).rows.map(({ data }) => data.videoId)

test('a waveform is drawn once its owner asks for it, and only once', async () => {
  const params = { id }
  expect(await owner.client.call(getWaveform, { params })).toEqual({
    state: 'none',
    intervalSeconds: 0,
    peaks: '',
  })
  await draw(id)
  expect(await owner.client.call(getWaveform, { params })).toMatchObject({ state: 'none' })

  expect(await owner.client.call(requestWaveform, { params })).toMatchObject({ state: 'waiting' })
  await owner.client.call(requestWaveform, { params })
  expect(await waiting()).toEqual([id])
  await draw(id)
  const { state, intervalSeconds, peaks } = await owner.client.call(requestWaveform, { params })
  expect([state, intervalSeconds]).toEqual(['ready', 0.05])
  const bytes = Buffer.from(peaks, 'base64')
  expect(Math.abs(bytes.length - 200)).toBeLessThan(4)
  expect(bytes.subarray(5, 190).every((peak) => peak > 10)).toBe(true)
})

test('a run that was interrupted is continued after its last block', async () => {
  await sql`update waveforms set state = 'waiting', peaks = ${Buffer.alloc(100, 7)}`.execute(site.db)
  await draw(id)
  const { peaks } = await owner.client.call(getWaveform, { params: { id } })
  const bytes = Buffer.from(peaks, 'base64')
  expect(Math.abs(bytes.length - 200)).toBeLessThan(4)
  expect(bytes.subarray(0, 100)).toEqual(Buffer.alloc(100, 7))
  expect(bytes.subarray(105, 190).every((peak) => peak > 10)).toBe(true)
})

test('the waveform of a replaced file is drawn again', async () => {
  const before = await site.db
    .selectFrom('videos')
    .select('sourceKey')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await sql`update videos set source_key = 'sources/another' where id = ${id}`.execute(site.db)
  expect(await owner.client.call(getWaveform, { params: { id } })).toMatchObject({ state: 'none' })
  expect(await owner.client.call(requestWaveform, { params: { id } })).toMatchObject({
    state: 'waiting',
    peaks: '',
  })
  await sql`update videos set source_key = ${before.sourceKey} where id = ${id}`.execute(site.db)
})

test('a video without audio is silent, and a failure can be tried again', async () => {
  const source = await site.db
    .selectFrom('videos')
    .select(sql<string>`jsonb_set(source, '{audio}', '[]')::text`.as('source'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const silent = await addVideo(site, owner.user._id, { ...source, sourceKey: 'sources/silent' })
  const params = { id: silent }
  await owner.client.call(requestWaveform, { params })
  await draw(silent)
  expect(await owner.client.call(getWaveform, { params })).toMatchObject({ state: 'silent', peaks: '' })
  await drawWaveform.giveUp?.({ videoId: silent }, site.context, new Error('the disk is full'))
  expect(await owner.client.call(getWaveform, { params })).toMatchObject({ state: 'failed' })
  expect(await owner.client.call(requestWaveform, { params })).toMatchObject({ state: 'waiting' })

  await owner.client.call(deleteVideo, { params })
  await draw(silent)
  expect(await sql`select from waveforms where video_id = ${silent}`.execute(site.db)).toMatchObject({
    rows: [],
  })
})
