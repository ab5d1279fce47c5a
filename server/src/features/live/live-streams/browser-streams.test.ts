import {
  livePieceMaxBytes,
  type PieceMessage,
  readPiece,
  writePiece,
} from '@kinora/contract/live/live-pieces.ts'
import {
  endOwnLiveStream,
  getLiveChannel,
  leaveBrowserStream,
  type LiveTemplate,
  openBrowserStream,
  type PieceReceipt,
  putLiveTemplate,
} from '@kinora/contract/live/live-streams.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { encodeTags, pieceOf } from '../../../testing/fixtures/live-pieces.ts'
import type { TestClient } from '../../../testing/fixtures/test-client.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { updateRole } from '../../accounts/users/queries.ts'
import { LiveIngest } from './actions/live-ingest.ts'
import { sumPieces } from './queries/browsers.ts'

let site: TestApp
let ingest: LiveIngest
let messages: PieceMessage[]

beforeAll(async () => {
  site = await createTestApp({ worker: true, settings: { LIVE: 'true' } })
  ingest = await startIngest()
  messages = await encodeTags(8)
})

afterAll(async () => {
  await ingest.stop()
  await site.close()
})

async function startIngest(): Promise<LiveIngest> {
  const started = new LiveIngest(site.context)
  await started.start()
  return started
}

async function addChannel(template: Partial<LiveTemplate> = {}) {
  const { client, user } = await signUp(site)
  await updateRole(site.db, user._id, 'administrator')
  const body = { title: 'From here', visibility: 'public', keepsRecording: true, ...template } as const
  await client.call(putLiveTemplate, { body })
  const { id } = await client.call(openBrowserStream, {})
  return { client, id, channelId: user._id }
}

const post = (client: TestClient, id: string, piece: number | string, body: Uint8Array<ArrayBuffer>) =>
  client.fetch(`/api/v1/studio/live/browser/${id}/${piece}`, {
    method: 'POST',
    headers: { 'content-type': 'application/offset+octet-stream' },
    body,
  })

async function send(
  client: TestClient,
  id: string,
  piece: number,
  { all = messages, isLast = false } = {},
): Promise<PieceReceipt> {
  const response = await post(client, id, piece, pieceOf(all, piece, { isLast }))
  expect(response.status).toBe(200)
  return (await response.json()) as PieceReceipt
}

const getStream = async (client: TestClient) => (await client.call(getLiveChannel, {})).stream

async function untilLive(client: TestClient): Promise<string> {
  await expect.poll(async () => (await getStream(client))?.isConnected).toBe(true)
  return (await getStream(client))?.videoId ?? ''
}

const playlistOf = async (videoId: string, track = 'source') =>
  (await fetch(`${site.origin}/media/live/${videoId}/${track}/index.m3u8`)).text()
const countSegments = (playlist: string) => playlist.split('#EXTINF').length - 1

async function getPage(client: TestClient, id: string) {
  const [video] = await client.call(getVideo, { params: { id } })
  return video
}

test('a browser streams piece by piece, and the stream becomes a video', async () => {
  const { client, id } = await addChannel()
  expect(await send(client, id, 0)).toEqual({ nextPiece: 1, endReason: null })
  const videoId = await untilLive(client)
  // the response to the first one was lost, and one is missing
  expect(await send(client, id, 0)).toEqual({ nextPiece: 1, endReason: null })
  expect(await send(client, id, 5)).toEqual({ nextPiece: 1, endReason: null })
  for (const piece of [1, 2, 3]) await send(client, id, piece)
  // each is shown when it has arrived, without waiting for the next keyframe
  await expect.poll(async () => countSegments(await playlistOf(videoId))).toBe(4)
  expect(await getStream(client)).toMatchObject({
    isFromBrowser: true,
    visibility: 'public',
    health: { keyframeSeconds: 1, hasAudio: true },
  })
  await send(client, id, 4, { isLast: true })
  await expect.poll(async () => (await getStream(client))?.endReason).toBe('stopped')
  await expect.poll(async () => (await getPage(client, videoId))?.isLive).toBe(undefined)
  const video = await getPage(client, videoId)
  expect(video?.duration).toBeCloseTo(5, 0)
  expect(await send(client, id, 6)).toMatchObject({ endReason: 'stopped' })
})

test('the Opus of browsers is played as it comes', async () => {
  const { client, id } = await addChannel()
  const head = { kind: 'audio' as const, timestamp: 0 }
  const opus = [
    { ...head, body: Buffer.from('904f7075734f707573486561640102380180bb0000000000', 'hex') },
    ...Array.from({ length: 200 }, (_, i) => ({
      kind: 'audio' as const,
      timestamp: i * 20,
      body: Buffer.from('914f707573fcfffe', 'hex'),
    })),
  ]
  const pictures = messages.filter(({ kind }) => kind === 'video')
  const all = [...opus, ...pictures].toSorted((a, b) => a.timestamp - b.timestamp)
  for (const piece of [0, 1, 2]) await send(client, id, piece, { all, isLast: piece === 2 })
  await expect.poll(async () => (await getStream(client))?.endReason).toBe('stopped')
  const videoId = (await getStream(client))?.videoId ?? ''
  const master = await fetch(`${site.origin}/media/live/${videoId}/master.m3u8`)
  expect(await master.text()).toMatch(/CODECS="avc1[^"]*,opus"/)
  expect(countSegments(await playlistOf(videoId, 'audio-0'))).toBe(3)
  await expect.poll(async () => (await getPage(client, videoId))?.isLive).toBe(undefined)
  const recording = await fetch(`${site.origin}${(await getPage(client, videoId))?.streamUrl ?? ''}`)
  expect(await recording.text()).toContain('mp4a.40.2')
})

test('what was acknowledged is recorded, although the ingest process was killed', async () => {
  const { client, id, channelId } = await addChannel()
  await send(client, id, 0)
  const videoId = await untilLive(client)
  await ingest.stop()
  for (const piece of [1, 2, 3]) await send(client, id, piece)
  expect((await sumPieces(site.db, channelId)).count).toBe(3)
  ingest = await startIngest()
  await expect.poll(async () => countSegments(await playlistOf(videoId))).toBe(4)
  expect((await sumPieces(site.db, channelId)).count).toBe(0)
  await send(client, id, 4, { isLast: true })
  await expect.poll(async () => (await getPage(client, videoId))?.isLive).toBe(undefined)
  expect((await getPage(client, videoId))?.duration).toBeCloseTo(5, 0)
})

test('a page that was reloaded continues its stream, and a closed one ends it after a minute', async () => {
  const { client, id, channelId } = await addChannel()
  await send(client, id, 0)
  const videoId = await untilLive(client)
  expect((await client.post('/api/v1/studio/live/browser')).body.reason).toBe('browser_streams')
  site.clock.advance(7000)
  const { id: next } = await client.call(openBrowserStream, {})
  expect((await (await post(client, id, 1, pieceOf(messages, 1))).json()) as object).toMatchObject({
    reason: 'browser_replaced',
  })
  await send(client, next, 0)
  await expect.poll(async () => countSegments(await playlistOf(videoId))).toBe(2)
  expect((await getStream(client))?.videoId).toBe(videoId)
  // a last one that is too short to be a part of its own
  const { endMs, messages: all } = readPiece(pieceOf(messages, 1)) ?? { endMs: 0, messages: [] }
  const end = endMs - 600
  const short = { endMs: end, isLast: false, messages: all.filter(({ timestamp }) => timestamp < end) }
  expect((await post(client, next, 1, writePiece(short))).status).toBe(200)
  // its connection is given up after ten seconds
  await expect.poll(async () => (await getStream(client))?.isConnected, { timeout: 60_000 }).toBe(false)
  expect(countSegments(await playlistOf(videoId))).toBe(3)
  expect((await sumPieces(site.db, channelId)).count).toBe(0)
  site.clock.advance(61_000)
  await expect.poll(async () => (await getStream(client))?.endReason).toBe('lost')
  await send(client, next, 2)
  await expect
    .poll(async () => (await post(client, next, 3, pieceOf(messages, 3))).json())
    .toMatchObject({ endReason: 'lost' })
})

test('a page that closes lets another one continue without a wait', async () => {
  const { client, id } = await addChannel()
  const { client: member } = await signUp(site)
  await send(client, id, 0)
  const videoId = await untilLive(client)
  // somebody else cannot
  expect((await member.delete(`/api/v1/studio/live/browser/${id}`)).status).toBe(404)
  expect((await client.post('/api/v1/studio/live/browser')).body.reason).toBe('browser_streams')
  await send(client, id, 1)
  await client.call(leaveBrowserStream, { params: { id } })
  // a silent connection is given up after ten seconds only
  await expect.poll(async () => (await getStream(client))?.isConnected, { timeout: 6000 }).toBe(false)
  expect(countSegments(await playlistOf(videoId))).toBe(2)
  const { id: next } = await client.call(openBrowserStream, {})
  expect((await client.delete(`/api/v1/studio/live/browser/${id}`)).status).toBe(404)
  await send(client, next, 0)
  await expect.poll(async () => (await getStream(client))?.isConnected).toBe(true)
  expect(await getStream(client)).toMatchObject({ videoId, keepsRecording: true })
  await send(client, next, 1, { isLast: true })
  await expect.poll(async () => (await getStream(client))?.endReason).toBe('stopped')
})

test('a page that closes is replaced once what it has sent is recorded', async () => {
  const { client, id } = await addChannel()
  await send(client, id, 0)
  const videoId = await untilLive(client)
  await ingest.stop()
  for (const piece of [1, 2]) await send(client, id, piece)
  await client.call(leaveBrowserStream, { params: { id } })
  expect((await client.post('/api/v1/studio/live/browser')).body.reason).toBe('browser_streams')
  ingest = await startIngest()
  const open = async () => (await client.post('/api/v1/studio/live/browser')).status
  await expect.poll(open).toBeLessThan(300)
  expect(countSegments(await playlistOf(videoId))).toBe(3)
})

test('a piece whose picture stops is left out, and the stream goes on', async () => {
  const { client, id, channelId } = await addChannel()
  await send(client, id, 0)
  const videoId = await untilLive(client)
  const { messages: all } = readPiece(pieceOf(messages, 1)) ?? { messages: [] }
  const sound = messages.filter(({ kind, timestamp }) => kind === 'audio' && timestamp > 2000)
  const late = [0, 6000].flatMap((ms) => sound.map((each) => ({ ...each, timestamp: each.timestamp + ms })))
  const frozen = { endMs: 14_000, isLast: false, messages: [...all, ...late] }
  expect((await post(client, id, 1, writePiece(frozen))).status).toBe(200)
  await send(client, id, 2)
  await expect.poll(async () => countSegments(await playlistOf(videoId))).toBe(2)
  expect((await sumPieces(site.db, channelId)).count).toBe(0)
  await send(client, id, 3, { isLast: true })
  await expect.poll(async () => (await getStream(client))?.endReason).toBe('stopped')
})

test('its owner ends a stream at once, and may begin another one', async () => {
  const { client, id } = await addChannel()
  await send(client, id, 0)
  const videoId = await untilLive(client)
  await client.call(endOwnLiveStream, {})
  // its connection would be given up after ten seconds
  await expect
    .poll(async () => (await getStream(client))?.endReason, { timeout: 8000 })
    .toBe('ended_by_owner')
  expect(await send(client, id, 1)).toMatchObject({ endReason: 'ended_by_owner' })
  const { id: next } = await client.call(openBrowserStream, {})
  await send(client, next, 0)
  await expect.poll(async () => (await getStream(client))?.isConnected).toBe(true)
  expect((await getStream(client))?.videoId).not.toBe(videoId)
  await send(client, next, 1, { isLast: true })
})

test('refuses what is no piece, is too large, or belongs to somebody else', async () => {
  const { client, id } = await addChannel()
  const { client: member } = await signUp(site)
  expect((await member.post('/api/v1/studio/live/browser')).status).toBe(403)
  expect((await post(member, id, 0, pieceOf(messages, 0))).status).toBe(409)
  expect((await post(site.client(), id, 0, pieceOf(messages, 0))).status).toBe(401)
  expect((await post(client, id, 'x', pieceOf(messages, 0))).status).toBe(404)
  expect((await post(client, id, 0, new Uint8Array(livePieceMaxBytes + 1))).status).toBe(413)
  expect((await client.post(`/api/v1/studio/live/browser/${id}/0`, {})).status).toBe(415)
  await post(client, id, 0, new Uint8Array(100))
  await expect
    .poll(async () => (await post(client, id, 1, pieceOf(messages, 1))).json())
    .toMatchObject({ endReason: 'protocol' })
})
