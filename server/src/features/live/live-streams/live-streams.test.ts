import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  createLiveKey,
  createLiveShow,
  deleteLiveShow,
  endOwnLiveStream,
  getLiveChannel,
  getLiveKey,
  getLiveStatus,
  type LiveEndReason,
  listLiveChannels,
  listLiveShows,
  putLivePermission,
  putLiveTemplate,
} from '@kinora/contract/live/live-streams.ts'
import { listAuditLog } from '@kinora/contract/operations/administration.ts'
import { endLiveStream } from '@kinora/contract/operations/moderation.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { probe } from '@kinora/media/probe/probe.ts'
import { toolsOf } from '@kinora/media/process/ffmpeg.ts'
import { nightlyUnless } from '@kinora/platform/testing/nightly.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { expectPlayable } from '../../../testing/fixtures/expect-playable.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { startTestIngest, stopEncoder, type TestIngest } from '../../../testing/fixtures/test-ingest.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { updateRole } from '../../accounts/users/queries.ts'
import { updateTakedown } from '../../videos/videos/queries/videos.ts'
import { measureRenditions } from './actions/encode-live-part.ts'
import { LiveIngest } from './actions/live-ingest.ts'
import { LiveTimelines } from './actions/live-timelines.ts'
import { clearLiveParts, endLostStreams, finishStream } from './jobs.ts'
import { findLastPart, insertPart, listFiles } from './queries/parts.ts'
import { countRunning, requestEnd } from './queries/streams.ts'
import { EVIDENCE_REASON, fileKeyOf } from './rules/streams.ts'

let site: TestApp
let ingest: LiveIngest
let encode: TestIngest['encode']
let testIngest: TestIngest

beforeAll(async () => {
  site = await createTestApp({
    worker: true,
    settings: { LIVE: 'true' },
    // a busy machine encodes too slowly
    constants: { liveEncodingSpeed: 0 },
  })
  testIngest = await startTestIngest(site)
  ;({ ingest, encode } = testIngest)
})

afterEach(() => testIngest.killEncoders())

afterAll(async () => {
  await testIngest.stop()
  await site.close()
})

/** A channel that may stream, with its key. */
async function addChannel(template: object = {}) {
  const { client, user } = await signUp(site)
  await updateRole(site.db, user._id, 'administrator')
  const body = { title: 'Morning show', visibility: 'public', keepsRecording: true, ...template } as const
  await client.call(putLiveTemplate, { body })
  const { key } = await client.call(createLiveKey, {})
  return { client, userId: user._id, key: key ?? '' }
}

async function getStream(client: TestClient) {
  const { stream } = await client.call(getLiveChannel, {})
  return stream
}

async function getPage(client: TestClient, id: string) {
  const [video] = await client.call(getVideo, { params: { id } })
  return video
}

interface Running {
  client: TestClient
  videoId: string
}

const untilLive = async (client: TestClient): Promise<string> => {
  await expect.poll(async () => (await getStream(client))?.isConnected).toBe(true)
  return (await getStream(client))?.videoId ?? ''
}

const sourceKeyOf = async (videoId: string) =>
  (await site.db.selectFrom('videos').select('sourceKey').where('id', '=', videoId).executeTakeFirstOrThrow())
    .sourceKey

const read = async (path: string) => {
  const response = await fetch(site.origin + path)
  return { status: response.status, text: await response.text(), headers: response.headers }
}
const playlistOf = async (videoId: string, track = 'source') =>
  (await read(`/media/live/${videoId}/${track}/index.m3u8`)).text
const countSegments = (playlist: string) => playlist.split('#EXTINF').length - 1

/** A stream whose encoder is gone, beside no other stream. */
async function addLostStream() {
  site.clock.advance(61_000)
  await expect.poll(() => countRunning(site.db)).toBe(0)
  const { client, key } = await addChannel()
  const encoder = encode(key)
  const videoId = await untilLive(client)
  await stopEncoder(encoder)
  await expect.poll(async () => (await getStream(client))?.isConnected).toBe(false)
  return { client, key, videoId }
}

/** Lets nobody read the parts of streams, as if their storage were slow, until it is released. */
async function blockParts() {
  const transaction = await site.db.startTransaction().execute()
  const release = async () => {
    if (!transaction.isRolledBack) await transaction.rollback().execute()
  }
  onTestFinished(release)
  await sql`lock table live_parts in access exclusive mode`.execute(transaction)
  const countWaiting = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_locks
      where relation = 'live_parts'::regclass and not granted`.execute(site.db)
    return rows[0]?.count
  }
  return { release, countWaiting }
}

/** Waits until the ingest process has checked all streams again. */
async function untilChecked(): Promise<void> {
  const { client, user } = await signUp(site)
  await updateRole(site.db, user._id, 'administrator')
  const createKey = async () => (await client.call(createLiveKey, {})).key ?? ''
  let key = await createKey()
  for (let checks = 0; checks < 2; checks += 1) {
    const publication = await ingest.publish({ key })
    key = await createKey()
    await expect.poll(() => publication.signal.aborted).toBe(true)
    await publication.close('key_unknown')
  }
}

test('a stream is a video that grows, and becomes an ordinary one at the same address', async () => {
  const { client, key } = await addChannel()
  const encoder = encode(key)
  const videoId = await untilLive(client)
  const visitor = site.client()
  expect(await getPage(visitor, videoId))?.toMatchObject({
    title: 'Morning show',
    isLive: true,
    streamUrl: `/media/videos/${videoId}/master.m3u8`,
  })
  const master = await read(`/media/live/${videoId}/master.m3u8`)
  expect(master.text).toContain('source/index.m3u8')
  expect(master.text).toContain('audio-0/index.m3u8')
  expect(master.headers.get('cache-control')).toBe('no-cache')

  // its ordinary address leads there
  expect((await read(`/media/videos/${videoId}/master.m3u8`)).text).toBe(master.text)
  const first = await playlistOf(videoId)
  expect(first).toContain('#EXT-X-PLAYLIST-TYPE:EVENT')
  expect(first).toContain('#EXT-X-PROGRAM-DATE-TIME:')
  expect(first).not.toContain('#EXT-X-ENDLIST')
  await expect
    .poll(async () => countSegments(await playlistOf(videoId)))
    .toBeGreaterThan(countSegments(first) + 1)
  for (const file of ['source/init.mp4', 'source/0.m4s', 'audio-0/init.mp4', 'audio-0/1.m4s'])
    expect((await read(`/media/live/${videoId}/${file}`)).status).toBe(200)
  expect((await read(`/media/live/${videoId}/source/9999.m4s`)).status).toBe(404)
  const part = await read(`/media/live/${videoId}/source/0.m4s`)
  expect(part.headers.get('cache-control')).not.toContain('immutable')
  const range = await fetch(`${site.origin}/media/live/${videoId}/source/0.m4s`, {
    headers: { range: 'bytes=4-7' },
  })
  expect(await range.text()).toBe('moof')
  const growing = await sourceKeyOf(videoId)
  const stream = await getStream(client)
  expect(stream).toMatchObject({ isConnected: true, isFromBrowser: false, endedAt: null })
  expect(stream?.health).toMatchObject({ keyframeSeconds: 1, width: 320, hasAudio: true })

  await stopEncoder(encoder, 'SIGTERM')
  await expect.poll(async () => (await getPage(visitor, videoId))?.isLive).toBe(undefined)
  const live = await playlistOf(videoId)
  expect(live).toContain('#EXT-X-ENDLIST')
  const ended = await getPage(visitor, videoId)
  expect(ended?.streamUrl).toBe(`/media/videos/${videoId}/master.m3u8`)
  const seconds = [...live.matchAll(/#EXTINF:([\d.]+)/g)].reduce((sum, [, each]) => sum + Number(each), 0)
  expect(ended?.duration).toBeCloseTo(seconds, 0)
  expect((await read(ended?.streamUrl ?? '')).text).toContain('source/index.m3u8')
  await expect.poll(async () => (await getPage(visitor, videoId))?.processing.state).toBe('ready')
  expect(await getStream(client)).toMatchObject({ endReason: 'stopped' })
  // its parts stay until it shows something else, and its file has an address of its own
  expect(await sourceKeyOf(videoId)).not.toBe(growing)
  expect((await read(`/media/live/${videoId}/source/0.m4s`)).status).toBe(200)
  const cut = JSON.stringify([{ start: 0, end: 1 }])
  await site.db.updateTable('videos').set({ cut }).where('id', '=', videoId).execute()
  await expect.poll(async () => (await read(`/media/live/${videoId}/source/0.m4s`)).status).toBe(404)
})

/** The last partial segment in a playlist: what comes after it is what players wait for. */
const lastChunk = (playlist: string): { part: number; chunk: number } => {
  const [, part, chunk] = [...playlist.matchAll(/PART:.*URI="(\d+)\.(\d+)\.m4s"/g)].at(-1) ?? []
  return { part: Number(part), chunk: Number(chunk) }
}

test('players with low latency get chunks of a part before it is complete', async () => {
  const { client, key } = await addChannel()
  const encoder = encode(key, { keyEvery: 50 })
  const videoId = await untilLive(client)
  const base = `/media/live/${videoId}`
  const closePlaylist = async (track: string, query = '') => read(`${base}/${track}/low-latency.m3u8${query}`)
  // the first part has none
  await expect.poll(async () => (await closePlaylist('source')).text).toContain('URI="1.1.m4s"')
  const { part, chunk } = lastChunk((await closePlaylist('source')).text)
  for (const track of ['source', 'audio-0']) {
    const next = await closePlaylist(track, `?_HLS_msn=${part}&_HLS_part=${chunk + 1}&_HLS_skip=YES`)
    expect(next.text).toContain('#EXT-X-PART-INF:PART-TARGET=0.5')
    const found = lastChunk(next.text)
    expect(found.part + found.chunk / 100).toBeGreaterThan(part + chunk / 100)
    const response = await fetch(`${site.origin}${base}/${track}/${found.part}.${found.chunk}.m4s`)
    expect(response.status).toBe(200)
    expect((await response.text()).slice(4, 8)).toBe('moof')
  }
  // the one that comes next is awaited
  await expect.poll(async () => lastChunk((await closePlaylist('source')).text).chunk).toBe(0)
  const { text } = await closePlaylist('source')
  const [, hinted = ''] = /PRELOAD-HINT:TYPE=PART,URI="([\d.]+m4s)"/.exec(text) ?? []
  expect(hinted).toMatch(/\.[12]\.m4s$/)
  expect((await read(`${base}/source/${hinted}`)).status).toBe(200)
  const isListed = async () => (await playlistOf(videoId)).includes(`\n${part + 1}.m4s`)
  await expect.poll(isListed).toBe(true)
  expect(await playlistOf(videoId)).not.toContain('EXT-X-PART')
  expect((await closePlaylist('source', `?_HLS_msn=${part + 9}&_HLS_part=0`)).status).toBe(400)
  for (const file of [`source/${part + 9}.0.m4s`, `source/${part}.99.m4s`, '480/1.0.m4s'])
    expect((await read(`${base}/${file}`)).status).toBe(404)
  // chunks of earlier parts are deleted
  await expect.poll(async () => (await read(`${base}/source/1.0.m4s`)).status).toBe(404)

  const waits = closePlaylist(
    'source',
    `?_HLS_msn=${lastChunk((await closePlaylist('source')).text).part + 1}`,
  )
  await stopEncoder(encoder, 'SIGTERM')
  await expect.poll(async () => (await closePlaylist('source')).text).toContain('#EXT-X-ENDLIST')
  expect((await waits).status).toBe(200)
  expect((await closePlaylist('source')).text).not.toContain('EXT-X-PART')
  const chunks = () =>
    site.db.selectFrom('liveChunks').select('part').where('videoId', '=', videoId).execute()
  expect(await chunks()).not.toEqual([])
  await expect.poll(async () => (await getPage(client, videoId))?.isLive).toBe(undefined)
  site.clock.advance(61_000)
  await endLostStreams.handle({}, site.context, new AbortController().signal)
  expect(await chunks()).toEqual([])
})

test('keeps chunks for players with the playlist before, and does not wait for one that a complete part lacks', async () => {
  const { client, key } = await addChannel()
  const encoder = encode(key)
  const videoId = await untilLive(client)
  await expect.poll(async () => countSegments(await playlistOf(videoId))).toBeGreaterThan(4)
  await stopEncoder(encoder)
  await expect.poll(async () => (await getStream(client))?.isConnected).toBe(false)
  const last = await findLastPart(site.db, videoId)
  if (!last) throw new Error('no part')
  const timelines = new LiveTimelines(site.context)
  const first = await timelines.get(videoId)
  await expect.poll(() => timelines.get(videoId)).not.toBe(first)
  const chunks = (await timelines.get(videoId))?.chunks ?? []
  expect([...new Set(chunks.map(({ part }) => part))]).toEqual([last.part - 2, last.part - 1, last.part])

  const beganAt = performance.now()
  const waits = read(`/media/live/${videoId}/source/${last.part + 1}.0.m4s`)
  await playlistOf(videoId)
  await insertPart(site.db, videoId, { ...last, part: last.part + 1 })
  expect((await waits).status).toBe(404)
  expect(performance.now() - beganAt).toBeLessThan(7000)
  await site.db.deleteFrom('liveParts').where('videoId', '=', videoId).where('part', '>', last.part).execute()
})

test.each<[string, (key: string, videoId: string) => Promise<unknown>]>([
  ['continues', async (key) => (await ingest.publish({ key })).close('stopped')],
  [
    'never returns',
    async (_, videoId) => {
      // no ingest process runs
      await testIngest.stop()
      try {
        const endLost = async () => endLostStreams.handle({}, site.context, new AbortController().signal)
        const end = () =>
          site.db
            .selectFrom('liveStreams')
            .select('endedAt')
            .where('videoId', '=', videoId)
            .executeTakeFirst()
        await endLost()
        expect(await end()).toEqual({ endedAt: null })
        site.clock.advance(300_000)
        const { release, countWaiting } = await blockParts()
        const ended = endLost()
        await expect.poll(countWaiting).toBeGreaterThan(0)
        // players stop loading the playlist at the end, so it is complete before
        expect(await end()).toEqual({ endedAt: null })
        await release()
        await ended
      } finally {
        testIngest = await startTestIngest(site)
        ;({ ingest, encode } = testIngest)
      }
    },
  ],
])(
  'records what viewers have got of a part that a killed ingest process did not complete, and its encoder %s',
  async (_, end) => {
    const { client, key } = await addChannel()
    const encoder = encode(key, { keyEvery: 100 })
    const videoId = await untilLive(client)
    const listed = () =>
      site.db
        .selectFrom('liveChunks')
        .selectAll()
        .where('videoId', '=', videoId)
        .orderBy('part')
        .orderBy('chunk')
        .execute()
    await expect.poll(async () => (await listed()).length).toBeGreaterThan(2)
    const chunks = await listed()
    await stopEncoder(encoder)
    await expect.poll(async () => (await getStream(client))?.isConnected).toBe(false)
    // as a killed process would have left it
    await site.db.deleteFrom('liveParts').where('videoId', '=', videoId).where('part', '>', 0).execute()
    await site.db.deleteFrom('liveChunks').where('videoId', '=', videoId).execute()
    await site.db.insertInto('liveChunks').values(chunks).execute()
    await end(key, videoId)
    await expect.poll(async () => (await getPage(client, videoId))?.isLive).toBe(undefined)
    const last = await findLastPart(site.db, videoId)
    expect(last).toMatchObject({
      part: 1,
      startMicros: chunks[0]?.startMicros,
      endMicros: chunks.at(-1)?.endMicros,
    })
    expect((await getPage(client, videoId))?.duration).toBeCloseTo((last?.endMicros ?? 0) / 1e6, 1)
    const file = site.storage.pathOf(await sourceKeyOf(videoId)) ?? ''
    const counted = '-v error -select_streams v -count_frames -show_entries stream=nb_read_frames -of csv=p=0'
    const { stdout } = await promisify(execFile)('ffprobe', [...counted.split(' '), file])
    expect(Number(stdout)).toBe(Math.floor((last?.endMicros ?? 0) / 40_000))
    const [video] = await client.call(getVideo, { params: { id: videoId } })
    if (!video) throw new Error('no video')
    await expectPlayable(client, video)
  },
)

test('continues after a lost connection, and ends after a minute without one', async () => {
  const { client, key } = await addChannel()
  const encoder = encode(key)
  const videoId = await untilLive(client)
  const statusOf = () => client.call(getLiveStatus, { params: { id: videoId } })
  expect(await statusOf()).toMatchObject({ isLive: true, isConnected: true })
  await stopEncoder(encoder)
  await expect.poll(async () => (await getStream(client))?.isConnected).toBe(false)
  expect(await statusOf()).toMatchObject({ isLive: true, isConnected: false })
  const before = countSegments(await playlistOf(videoId))
  const again = encode(key)
  await expect.poll(async () => (await getStream(client))?.isConnected).toBe(true)
  expect((await getStream(client))?.videoId).toBe(videoId)
  await expect.poll(async () => countSegments(await playlistOf(videoId))).toBeGreaterThan(before)
  const playlist = await playlistOf(videoId)
  expect(playlist.split('#EXT-X-PROGRAM-DATE-TIME').length - 1).toBe(2)

  await stopEncoder(again)
  await expect.poll(async () => (await getStream(client))?.isConnected).toBe(false)
  site.clock.advance(61_000)
  await expect.poll(async () => (await getStream(client))?.endReason).toBe('lost')
})

test('leaves a stream to the encoder that is continuing it, and ends it then', async () => {
  const { client, key, videoId } = await addLostStream()
  const { release, countWaiting } = await blockParts()
  const publishing = ingest.publish({ key })
  await expect.poll(countWaiting).toBe(1)
  await requestEnd(site.db, { videoId }, 'ended_by_owner')
  await untilChecked()
  // two at once would write the same part
  expect(await countWaiting()).toBe(1)
  await release()
  const publication = await publishing
  await expect.poll(() => publication.signal.aborted).toBe(true)
  expect(publication.signal.reason).toMatchObject({ reason: 'ended_by_owner' })
  await publication.close('ended_by_owner')
  expect(await getStream(client)).toMatchObject({ endReason: 'ended_by_owner' })
})

test('checks all streams while the recording of a lost one is completed, and its encoder waits', async () => {
  const { client, key, videoId } = await addLostStream()
  const { release, countWaiting } = await blockParts()
  site.clock.advance(61_000)
  await expect.poll(countWaiting).toBe(1)
  await untilChecked()
  const publishing = ingest.publish({ key })
  await untilChecked()
  expect(await countWaiting()).toBe(1)
  await release()
  const publication = await publishing
  expect(await getStream(client)).toMatchObject({ videoId, endReason: 'lost' })
  await publication.close('lost')
})

test('closes a connection that continues a stream and brings no picture', async () => {
  const { client, key } = await addChannel()
  const encoder = encode(key)
  await untilLive(client)
  await stopEncoder(encoder)
  await expect.poll(async () => (await getStream(client))?.isConnected).toBe(false)
  const publication = await ingest.publish({ key })
  const openedAt = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => openedAt + 31_000)
  const ended = once(publication.signal, 'abort')
  await ended.finally(() => clock.mockRestore())
  expect(publication.signal.reason).toMatchObject({ reason: 'timeout' })
  await publication.close('timeout')
})

test('another size ends the stream, and the next connection begins one', nightlyUnless(false), async () => {
  const { client, key } = await addChannel()
  const encoder = encode(key)
  const videoId = await untilLive(client)
  await stopEncoder(encoder)
  await expect.poll(async () => (await getStream(client))?.isConnected).toBe(false)
  const other = encode(key, { size: '640x360' })
  await expect.poll(async () => (await getStream(client))?.endReason).toBe('format_changed')
  await stopEncoder(other)
  encode(key, { size: '640x360' })
  const next = await untilLive(client)
  expect(next).not.toBe(videoId)
  expect((await getStream(client))?.health).toMatchObject({ width: 640, height: 360 })
  await expect.poll(async () => (await getPage(client, videoId))?.isLive).toBe(undefined)
})

test('continues after the ingest process was killed, up to the last part', async () => {
  const { client, key, userId } = await addChannel()
  const encoder = encode(key)
  const videoId = await untilLive(client)
  await stopEncoder(encoder)
  await expect.poll(async () => (await getStream(client))?.isConnected).toBe(false)
  // a killed process leaves the beginning of a part
  await appendFile(site.storage.pathOf(await sourceKeyOf(videoId)) ?? '', Buffer.alloc(5000, 1))
  const other = new LiveIngest(site.context)
  await other.start()
  const publication = await other.publish({ key })
  await publication.close('stopped')
  await other.stop()
  await expect.poll(async () => (await getStream(client))?.endReason).toBe('stopped')
  expect((await getPage(client, videoId))?.videoOwner._id).toBe(userId)
  await expect.poll(async () => (await getPage(client, videoId))?.isLive).toBe(undefined)
  expect((await getPage(client, videoId))?.processing.reason).toBe(null)
})

test('continues before the parts whose bytes a disk has lost', async () => {
  const { client, key } = await addChannel()
  const encoder = encode(key)
  const videoId = await untilLive(client)
  await expect.poll(async () => countSegments(await playlistOf(videoId))).toBeGreaterThan(2)
  await stopEncoder(encoder)
  await expect.poll(async () => (await getStream(client))?.isConnected).toBe(false)
  // with its power, PostgreSQL has lost the chunks
  await site.db.deleteFrom('liveChunks').where('videoId', '=', videoId).execute()
  const last = await findLastPart(site.db, videoId)
  const file = site.storage.pathOf(await sourceKeyOf(videoId)) ?? ''
  await truncate(file, (last?.position ?? 0) + 10)
  const publication = await ingest.publish({ key })
  await publication.close('lost')
  expect((await findLastPart(site.db, videoId))?.part).toBe((last?.part ?? 0) - 1)
  expect((await stat(file)).size).toBe(last?.position)
})

test.each<[string, string, (running: Running) => Promise<unknown>]>([
  ['its owner', 'ended_by_owner', ({ client }: Running) => client.call(endOwnLiveStream, {})],
  [
    'a moderator',
    'ended_by_moderator',
    ({ client, videoId }: Running) => client.call(endLiveStream, { params: { id: videoId }, query: {} }),
  ],
  ['a takedown', 'taken_down', ({ videoId }: Running) => updateTakedown(site.db, videoId, 'Not ours')],
])('%s ends a stream, and its encoder cannot begin another at once', async (_, reason, end) => {
  const { client, key } = await addChannel()
  const encoder = encode(key)
  const videoId = await untilLive(client)
  const isClosed = once(encoder, 'close')
  const endedAt = performance.now()
  await end({ client, videoId })
  await isClosed
  // by itself it goes on for two minutes
  expect(performance.now() - endedAt).toBeLessThan(30_000)
  await expect.poll(async () => (await getStream(client))?.endReason).toBe(reason)
  await once(encode(key), 'close')
  expect((await client.call(getLiveChannel, {})).refusal).toMatchObject({ reason })
})

test('the audit log has who ended a stream, and why', async () => {
  const { client, key } = await addChannel()
  encode(key)
  const videoId = await untilLive(client)
  const query = { reason: 'Not the show that was announced' }
  await client.call(endLiveStream, { params: { id: videoId }, query })
  const { entries } = await client.call(listAuditLog, { query: { text: videoId } })
  expect(entries).toMatchObject([
    { action: 'end_stream', subject: videoId, details: query.reason, title: 'Morning show' },
  ])
  await expect.poll(async () => (await getStream(client))?.endReason).toBe('ended_by_moderator')
})

test('waits for the disk of a recording, and repairs one that has failed', async () => {
  const { client, key } = await addChannel()
  const encoder = encode(key)
  const videoId = await untilLive(client)
  const video = () =>
    site.db
      .selectFrom('videos')
      .select(['isLive', 'processingReason'])
      .where('id', '=', videoId)
      .executeTakeFirst()
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write' })
  expect(await finishStream.giveUp?.({ videoId }, site.context, full)).toBe('retry')
  expect(await video()).toMatchObject({ isLive: true })
  await finishStream.giveUp?.({ videoId }, site.context, new Error('unreadable'))
  expect(await video()).toMatchObject({ isLive: false, processingReason: expect.any(String) as string })
  await stopEncoder(encoder, 'SIGTERM')
  await expect.poll(video).toEqual({ isLive: false, processingReason: null })
  expect(await sourceKeyOf(videoId)).toMatch(/^sources\//)
})

test('keeps nothing of a stream if its channel wants that', async () => {
  const { client, key } = await addChannel({ keepsRecording: false })
  const encoder = encode(key)
  const videoId = await untilLive(client)
  await stopEncoder(encoder, 'SIGTERM')
  await expect.poll(async () => (await client.get(`/api/v1/video/${videoId}`)).status).toBe(404)
})

test.each<[string, LiveEndReason, string, (running: Running) => Promise<unknown>]>([
  ['was taken down', 'taken_down', 'Not ours', ({ videoId }) => updateTakedown(site.db, videoId, 'Not ours')],
  [
    'a moderator ended',
    'ended_by_moderator',
    EVIDENCE_REASON,
    ({ client, videoId }) => client.call(endLiveStream, { params: { id: videoId }, query: {} }),
  ],
])('keeps what %s as evidence, which nobody else sees', async (_, reason, takedownReason, end) => {
  const { client, key } = await addChannel({ keepsRecording: false })
  encode(key)
  const videoId = await untilLive(client)
  await end({ client, videoId })
  await expect.poll(async () => (await getStream(client))?.endReason).toBe(reason)
  const recording = () =>
    site.db
      .selectFrom('videos')
      .select(['isLive', 'takedownReason'])
      .where('id', '=', videoId)
      .executeTakeFirst()
  await expect.poll(recording).toEqual({ isLive: false, takedownReason })
  expect((await site.client().get(`/api/v1/video/${videoId}`)).status).toBe(404)
})

test('has only the last minutes of a stream that keeps nothing, and joins them where they are evidence', async () => {
  const { client, key } = await addChannel({ keepsRecording: false })
  const encoder = encode(key)
  const videoId = await untilLive(client)
  await stopEncoder(encoder)
  await expect.poll(async () => (await getStream(client))?.isConnected).toBe(false)
  const sourceKey = await sourceKeyOf(videoId)
  const [first] = await listFiles(site.db, videoId)
  // another connection begins another file; what was before is eleven minutes old
  await site.db
    .updateTable('liveParts')
    .set(({ ref }) => ({
      startMicros: sql`${ref('startMicros')} - 660000000`,
      endMicros: sql`${ref('endMicros')} - 660000000`,
    }))
    .where('videoId', '=', videoId)
    .execute()
  const count = countSegments(await playlistOf(videoId))
  const again = encode(key)
  await expect.poll(async () => playlistOf(videoId)).toContain(`#EXT-X-MEDIA-SEQUENCE:${count}\n`)
  expect(await site.storage.head(fileKeyOf(sourceKey, first?.file ?? 0))).toBe(undefined)
  expect((await read(`/media/live/${videoId}/source/0.m4s`)).status).toBe(404)
  expect((await read(`/media/live/${videoId}/source/${count}.m4s`)).status).toBe(200)

  await client.call(endLiveStream, { params: { id: videoId }, query: {} })
  const recording = () =>
    site.db
      .selectFrom('videos')
      .select(['isLive', 'processingReason'])
      .where('id', '=', videoId)
      .executeTakeFirst()
  await expect.poll(recording).toEqual({ isLive: false, processingReason: null })
  expect(await sourceKeyOf(videoId)).toMatch(/^sources\//)
  await stopEncoder(again)
})

test('encodes smaller renditions while somebody watches them, each part once', async () => {
  const { client, key } = await addChannel()
  const encoder = encode(key, { size: '640x360' })
  const videoId = await untilLive(client)
  const master = async () => (await read(`/media/live/${videoId}/master.m3u8`)).text
  await expect.poll(master).toContain('\n144/index.m3u8')
  expect(await master()).toContain('source/index.m3u8')
  await expect.poll(async () => countSegments(await playlistOf(videoId))).toBeGreaterThan(3)
  // nobody has asked for more than was measured
  const encoded = async () => {
    const keys: string[] = []
    for await (const { key: name } of site.storage.list(`segments/${videoId}/live/144/`)) keys.push(name)
    return keys
  }
  const measured = await encoded()
  expect(measured).toHaveLength(2)

  // the newest part is encoded before it is listed
  const source = countSegments(await playlistOf(videoId))
  const playlist = await playlistOf(videoId, '144')
  expect(countSegments(playlist)).toBeGreaterThanOrEqual(source - 1)
  expect(playlist).toContain('#EXT-X-MAP:URI="init.mp4"')
  await expect.poll(encoded).toHaveLength(3)

  const file = join(temporaryDirectory(), 'segment.mp4')
  const bytes = async (name: string) => {
    const response = await fetch(`${site.origin}/media/live/${videoId}/144/${name}`)
    expect([name, response.status]).toEqual([name, 200])
    return Buffer.from(await response.arrayBuffer())
  }
  const responses = await Promise.all([bytes('1.m4s'), bytes('1.m4s'), bytes('1.m4s')])
  expect(new Set(responses.map((each) => each.toString('base64'))).size).toBe(1)
  await writeFile(file, Buffer.concat([await bytes('init.mp4'), await bytes('1.m4s')]))
  const picture = await probe(toolsOf(site.context.config), file, AbortSignal.timeout(10_000))
  expect(picture.video.codedHeight).toBe(144)
  expect(picture.video.startSeconds).toBeCloseTo(1, 1)
  expect((await read(`/media/live/${videoId}/144/9999.m4s`)).status).toBe(404)
  expect((await read(`/media/live/${videoId}/4320/index.m3u8`)).status).toBe(404)

  await stopEncoder(encoder, 'SIGTERM')
  await expect.poll(async () => (await getPage(client, videoId))?.isLive).toBe(undefined)
  expect(await playlistOf(videoId, '144')).toContain('#EXT-X-ENDLIST')
  // nothing is left once players show the recording
  site.clock.advance(25 * 3600_000)
  await clearLiveParts.handle({}, site.context, AbortSignal.timeout(10_000))
  expect(await encoded()).toEqual([])
})

test('offers no rendition that is encoded too slowly', async () => {
  const { client, key } = await addChannel()
  encode(key, { size: '640x360' })
  const videoId = await untilLive(client)
  const master = async () => (await read(`/media/live/${videoId}/master.m3u8`)).text
  await expect.poll(master).toContain('\n144/index.m3u8')
  await site.db.updateTable('liveStreams').set({ renditions: [] }).where('videoId', '=', videoId).execute()
  const config = { ...site.context.config, liveEncodingSpeed: 1e6 }
  expect(await measureRenditions({ ...site.context, config }, videoId, AbortSignal.timeout(20_000))).toBe(
    false,
  )
  await expect.poll(master).not.toContain('\n144/index.m3u8')
  expect(await master()).toContain('source/index.m3u8')
})

test('answers a player that waits for the next part when there is one', async () => {
  const { client, key } = await addChannel()
  encode(key)
  const videoId = await untilLive(client)
  const count = countSegments(await playlistOf(videoId))
  const waited = await read(`/media/live/${videoId}/source/index.m3u8?_HLS_msn=${count}`)
  expect(countSegments(waited.text)).toBeGreaterThan(count)
  const sound = await read(`/media/live/${videoId}/audio-0/index.m3u8?_HLS_msn=0`)
  expect(countSegments(sound.text)).toBeGreaterThan(0)
  // no player waits for what is far ahead, nor for a stream that has ended
  expect((await read(`/media/live/${videoId}/source/index.m3u8?_HLS_msn=9000`)).status).toBe(200)
  const headers = { 'accept-encoding': 'gzip' }
  const small = await fetch(`${site.origin}/media/live/${videoId}/source/index.m3u8`, { headers })
  expect(await small.text()).toContain('#EXT-X-MAP')
  expect(small.headers.get('access-control-allow-origin')).toBe('*')
  // all of them wait for the same part
  const next = countSegments(await playlistOf(videoId))
  const crowd = await Promise.all(
    Array.from({ length: 30 }, () => read(`/media/live/${videoId}/source/index.m3u8?_HLS_msn=${next}`)),
  )
  expect(new Set(crowd.map(({ text }) => countSegments(text) > next))).toEqual(new Set([true]))
  const last = countSegments(await playlistOf(videoId))
  const ended = read(`/media/live/${videoId}/source/index.m3u8?_HLS_msn=${last + 2}`)
  await client.call(endOwnLiveStream, {})
  expect((await ended).text).toContain('#EXT-X-ENDLIST')
})

test('shows a private stream to its owner alone', async () => {
  const { client, key } = await addChannel({ visibility: 'private' })
  encode(key)
  const videoId = await untilLive(client)
  expect((await read(`/media/videos/${videoId}/master.m3u8`)).status).toBe(404)
  for (const file of ['master.m3u8', 'source/index.m3u8', 'source/0.m4s'])
    expect((await read(`/media/live/${videoId}/${file}`)).status).toBe(404)
  expect((await site.client().get(`/api/v1/video/${videoId}/live`)).status).toBe(404)
  expect(await client.call(getLiveStatus, { params: { id: videoId } })).toMatchObject({ isLive: true })
})

test('keeps shows, each channel its own', async () => {
  const { client } = await addChannel()
  const { client: other } = await addChannel()
  const show = {
    title: 'Evening show',
    description: '',
    visibility: 'unlisted',
    keepsRecording: false,
  } as const
  const { id } = await client.call(createLiveShow, { body: show })
  expect(await client.call(listLiveShows, {})).toEqual([{ id, ...show }])
  expect(await other.call(listLiveShows, {})).toEqual([])
  expect((await other.delete(`/api/v1/studio/live/shows/${id}`)).status).toBe(404)
  await client.call(deleteLiveShow, { params: { id } })
  expect(await client.call(listLiveShows, {})).toEqual([])
})

test('refuses keys that were replaced, other accounts, and a second encoder', async () => {
  const { client, key } = await addChannel()
  expect(await client.call(getLiveKey, {})).toEqual({ key })
  const { key: replaced } = await client.call(createLiveKey, {})
  expect(replaced).not.toBe(key)
  await expect(ingest.publish({ key })).rejects.toMatchObject({ reason: 'key_unknown' })
  const encoder = encode(replaced ?? '')
  await untilLive(client)
  await expect(ingest.publish({ key: replaced ?? '' })).rejects.toMatchObject({
    reason: 'streams_of_account',
  })
  const refusal = async () => (await client.call(getLiveChannel, {})).refusal?.reason
  expect(await refusal()).toBe('streams_of_account')
  await client.call(createLiveKey, {})
  await expect.poll(async () => (await getStream(client))?.endReason).toBe('key_unknown')
  expect(await refusal()).toBe(undefined)
  await stopEncoder(encoder)

  const { client: member, user } = await signUp(site)
  expect((await member.post('/api/v1/studio/live/key')).status).toBe(403)
  const { username } = user
  await client.call(putLivePermission, { params: { username }, body: { isAllowed: true } })
  await member.call(createLiveKey, {})
  expect(await client.call(listLiveChannels, {})).toMatchObject([{ username }])
})
