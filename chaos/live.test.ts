import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { PieceMessage } from '@kinora/contract/live/live-pieces.ts'
import {
  createLiveKey,
  getLiveChannel,
  openBrowserStream,
  type PieceReceipt,
  putLiveTemplate,
} from '@kinora/contract/live/live-streams.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { findQuietPort } from '@kinora/platform/testing/quiet-port.ts'
import { expect, test } from 'vitest'
import { encodeTags, pieceOf } from '../server/src/testing/fixtures/live-pieces.ts'
import { TestClient } from '../server/src/testing/fixtures/test-client.ts'
import { registrationForm, testPassword } from '../server/src/testing/fixtures/test-users.ts'
import { signal, VictimSite } from './site.ts'

const KEY_SECONDS = 2
const victims = ['ingest', 'web', 'worker', 'postgres', 'ingest'] as const
/** Between one fault and the next, both streams and their viewers have to be back. */
const BACK_MS = 45_000

/** Repeats a call until it succeeds, as browsers do. */
async function until<Result>(call: () => Promise<Result | undefined>, timeoutMs = BACK_MS): Promise<Result> {
  for (const startedAt = performance.now(); ; await delay(300)) {
    const result = await call().catch(() => undefined)
    if (result !== undefined) return result
    if (performance.now() - startedAt > timeoutMs) throw new Error(`nothing came within ${timeoutMs} ms`)
  }
}

async function signUp(site: VictimSite, username: string): Promise<TestClient> {
  const client = new TestClient(site.origin)
  await client.post('/api/v1/users/register', await registrationForm({ username }))
  await client.post('/api/v1/users/login', { username, password: testPassword })
  const body = { title: username, description: '', visibility: 'public', keepsRecording: true } as const
  await client.call(putLiveTemplate, { body })
  return client
}

/** An encoder that connects again by itself, as OBS does. */
class Encoder {
  readonly #address: string
  #child: ChildProcess | undefined
  #isOver = false

  constructor(address: string) {
    this.#address = address
  }

  async run(): Promise<void> {
    const inputs = '-re -f lavfi -i testsrc2=size=320x240:rate=25 -re -f lavfi -i sine=r=48000'
    const codecs = `-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g ${25 * KEY_SECONDS} -c:a aac -ac 2 -f flv`
    while (!this.#isOver) {
      const args = ['-v', 'error', ...`${inputs} ${codecs}`.split(' '), this.#address]
      this.#child = spawn('ffmpeg', args, { stdio: 'ignore' })
      await once(this.#child, 'close')
      await delay(500)
    }
  }

  /** Does not connect again. */
  leave(): void {
    this.#isOver = true
  }

  stop(): void {
    this.#isOver = true
    this.#child?.kill('SIGTERM')
  }
}

/** A browser that sends a piece every two seconds, each again until it is acknowledged. */
async function broadcast(
  client: TestClient,
  tags: readonly PieceMessage[],
  isOver: () => boolean,
): Promise<{ acknowledged: number; endReason: string | null }> {
  const { id } = await client.call(openBrowserStream, {})
  const startedAt = performance.now()
  for (let piece = 0; ; piece += 1) {
    const isLast = isOver()
    const body = pieceOf(tags, piece, { isLast })
    const { endReason } = await until(async () => {
      const response = await client.fetch(`/api/v1/studio/live/browser/${id}/${piece}`, {
        method: 'POST',
        headers: { 'content-type': 'application/offset+octet-stream' },
        body,
        signal: AbortSignal.timeout(10_000),
      })
      return response.ok ? ((await response.json()) as PieceReceipt) : undefined
    })
    if (endReason !== null || isLast) return { acknowledged: piece + 1, endReason }
    await delay(Math.max(0, startedAt + (piece + 1) * KEY_SECONDS * 1000 - performance.now()))
  }
}

/** Gets a file of the original, and repeats that until it is there. Undefined where there is none. */
const fileOf = (site: VictimSite, videoId: string, name: string): Promise<Buffer | null> =>
  until(async () => {
    const response = await fetch(`${site.origin}/media/live/${videoId}/source/${name}`)
    if ([400, 404].includes(response.status)) return null
    return response.ok ? Buffer.from(await response.arrayBuffer()) : undefined
  })

const playlistOf = async (site: VictimSite, videoId: string): Promise<string> =>
  until(async () => (await fileOf(site, videoId, 'index.m3u8'))?.toString())

const segmentsOf = (playlist: string) =>
  [...playlist.matchAll(/#EXTINF:([\d.]+),\n(\d+)\.m4s/g)].map(([, seconds, part]) => ({
    seconds: Number(seconds),
    part: Number(part),
  }))

/** The chunk after the last one in a playlist, as a player with low latency asks for it; empty where there are none. */
function nextChunk(playlist: string): string {
  const [, part, chunk] = /PRELOAD-HINT:TYPE=PART,URI="(\d+)\.(\d+)\.m4s"/.exec(playlist) ?? []
  return part === undefined ? '' : `?_HLS_msn=${part}&_HLS_part=${chunk}`
}

const chunksOf = (playlist: string) =>
  [...playlist.matchAll(/PART:DURATION=[\d.]+,URI="((\d+)\.\d+\.m4s)"/g)].map(([, name = '', part]) => ({
    name,
    part: Number(part),
  }))

/** Files that a viewer has received: parts, and the frames of chunks. */
interface Seen {
  parts: Set<number>
  chunks: Map<string, { part: number; frames: Buffer }>
}

/** A viewer with low latency, who gets every chunk and segment that was ever listed. */
async function watch(site: VictimSite, videoId: string, seen: Seen, isOver: () => boolean): Promise<void> {
  let next = ''
  while (!isOver()) {
    const playlist = (await fileOf(site, videoId, `low-latency.m3u8${next}`))?.toString() ?? ''
    for (const { name, part } of chunksOf(playlist)) {
      if (seen.chunks.has(name)) continue
      const bytes = await fileOf(site, videoId, name)
      // behind `moof` and the header of `mdat`; its part follows if it is gone
      if (bytes) seen.chunks.set(name, { part, frames: bytes.subarray(bytes.readUInt32BE() + 8) })
    }
    for (const { part } of segmentsOf(playlist)) {
      if (seen.parts.has(part)) continue
      if (await fileOf(site, videoId, `${part}.m4s`)) seen.parts.add(part)
    }
    next = nextChunk(playlist)
    if (next === '') await delay(1000)
  }
}

/** Times without a picture in a recording, in seconds: a segment after another connection has a date of its own. */
function gapsOf(playlist: string): number[] {
  const gaps: number[] = []
  let at = Number.NaN
  for (const [, date, seconds] of playlist.matchAll(/PROGRAM-DATE-TIME:(\S+)|EXTINF:([\d.]+)/g)) {
    if (date !== undefined && !Number.isNaN(at)) gaps.push((Date.parse(date) - at) / 1000)
    at = date === undefined ? at + Number(seconds) * 1000 : Date.parse(date)
  }
  return gaps
}

const streamOf = async (client: TestClient) => (await client.call(getLiveChannel, {})).stream

/** A channel whose encoder streams, and a viewer of its stream. */
interface Show {
  client: TestClient
  videoId: string
  seen: Seen
  watching: Promise<void>
}

test(
  'live streams and their viewers with low latency survive the death of each process',
  { timeout: 900_000 },
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'kinora-live-chaos-'))
    const rtmpPort = await findQuietPort()
    const site = await VictimSite.prepare(dataDir, {
      LIVE: 'true',
      LIVE_ROLE: 'member',
      RTMP_HOST: '127.0.0.1',
      RTMP_PORT: String(rtmpPort),
    })
    const tags = await encodeTags(600, KEY_SECONDS)
    let isOver = false
    const encoders: Encoder[] = []
    const encoding: Promise<void>[] = []
    const isStopped = () => isOver
    /** Parts whose chunks a crash of PostgreSQL loses, by stream. */
    const lost = new Map<string, number[]>()

    async function encode(client: TestClient): Promise<Encoder> {
      const { key } = await client.call(createLiveKey, {})
      const encoder = new Encoder(`rtmp://127.0.0.1:${rtmpPort}/live/${key}`)
      encoders.push(encoder)
      encoding.push(encoder.run())
      return encoder
    }
    async function follow(client: TestClient): Promise<Show> {
      const videoId = await until(async () => {
        const stream = await streamOf(client)
        return stream?.isConnected ? stream.videoId : undefined
      })
      const seen: Seen = { parts: new Set(), chunks: new Map() }
      return { client, videoId, seen, watching: watch(site, videoId, seen, isStopped) }
    }
    const segmentsNow = async ({ videoId }: Show) => segmentsOf(await playlistOf(site, videoId))
    const untilRecorded = ({ client, videoId }: Show) =>
      until(async () => {
        const [video] = await client.call(getVideo, { params: { id: videoId } })
        return video && !video.isLive ? video : undefined
      }, 180_000)

    try {
      await site.start()
      const [ofEncoder, ofBrowser, ofLeaver] = [
        await signUp(site, 'encoder'),
        await signUp(site, 'browser'),
        await signUp(site, 'leaver'),
      ]
      await encode(ofEncoder)
      const leaver = await encode(ofLeaver)
      const broadcasting = broadcast(ofBrowser, tags, isStopped)
      const [encoded, broadcasted, left] = await Promise.all([
        follow(ofEncoder),
        follow(ofBrowser),
        follow(ofLeaver),
      ])
      const shows = [encoded, broadcasted, left]

      let longestSeconds = 0
      for (const [at, victim] of victims.entries()) {
        const isLast = at === victims.length - 1
        const going = isLast ? [encoded, broadcasted] : shows
        const lengths = await Promise.all(going.map(async (show) => (await segmentsNow(show)).length))
        const chunks = encoded.seen.chunks.size
        // its last chunks are all that is left of its last seconds
        if (isLast) leaver.leave()
        if (victim === 'postgres')
          for (const { videoId, seen } of shows) {
            const growing = Math.max(...[...seen.chunks.values()].map(({ part }) => part))
            lost.set(videoId, [growing, growing + 1])
          }
        const killedAt = performance.now()
        for (const pid of await site.find(victim)) signal(pid, 'SIGKILL')
        // all go on at the same addresses, and viewers of chunks get chunks
        for (const [i, show] of going.entries())
          await until(async () => {
            const { length } = await segmentsNow(show)
            return length > (lengths[i] ?? 0) + 2 ? length : undefined
          })
        await until(async () => encoded.seen.chunks.size > chunks + 4 || undefined)
        longestSeconds = Math.max(longestSeconds, (performance.now() - killedAt) / 1000)
      }

      const { duration: leftSeconds } = await untilRecorded(left)
      isOver = true
      for (const encoder of encoders) encoder.stop()
      const { acknowledged } = await broadcasting
      await Promise.all([...encoding, ...shows.map(({ watching }) => watching)])
      for (const show of shows) {
        const { duration } = await untilRecorded(show)
        const playlist = await playlistOf(site, show.videoId)
        const segments = segmentsOf(playlist)
        const parts = segments.map(({ part }) => part)
        // whatever a viewer has seen is in the recording
        expect([...show.seen.parts].filter((part) => !parts.includes(part))).toEqual([])
        expect(new Set(parts).size).toBe(parts.length)
        const kept = [...show.seen.chunks].filter(([, { part }]) => !lost.get(show.videoId)?.includes(part))
        for (const [name, { part, frames }] of kept)
          expect([name, (await fileOf(site, show.videoId, `${part}.m4s`))?.includes(frames)]).toEqual([
            name,
            true,
          ])
        const total = segments.reduce((sum, segment) => sum + segment.seconds, 0)
        expect(Math.abs(duration - total)).toBeLessThan(2)
        const gaps = gapsOf(playlist)
        expect(gaps.length).toBeLessThanOrEqual(victims.length)
        for (const gap of gaps) expect(gap).toBeLessThan(longestSeconds)
      }
      // chunks were there all the time: most parts have four
      for (const { seen } of [encoded, left]) expect(seen.chunks.size).toBeGreaterThan(2 * seen.parts.size)
      expect(broadcasted.seen.chunks.size).toBe(0)
      expect(leftSeconds).toBeGreaterThan(0)
      // each acknowledged piece is recorded exactly once
      const pieces = await segmentsNow(broadcasted)
      const seconds = pieces.reduce((sum, segment) => sum + segment.seconds, 0)
      expect(pieces.length).toBe(acknowledged)
      expect(Math.abs(seconds - acknowledged * KEY_SECONDS)).toBeLessThan(1)
    } catch (error) {
      console.error(site.output.slice(-20_000))
      throw error
    } finally {
      isOver = true
      for (const encoder of encoders) encoder.stop()
      await site.stop()
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
    }
  },
)
