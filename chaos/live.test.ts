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

const playlistOf = async (site: VictimSite, videoId: string): Promise<string> =>
  until(async () => {
    const response = await fetch(`${site.origin}/media/live/${videoId}/source/index.m3u8`)
    return response.ok ? response.text() : undefined
  })

const segmentsOf = (playlist: string) =>
  [...playlist.matchAll(/#EXTINF:([\d.]+),\n(\d+)\.m4s/g)].map(([, seconds, part]) => ({
    seconds: Number(seconds),
    part: Number(part),
  }))

/** A viewer, who gets every segment that was ever listed. */
async function watch(site: VictimSite, videoId: string, isOver: () => boolean): Promise<number[]> {
  const seen = new Set<number>()
  while (!isOver()) {
    for (const { part } of segmentsOf(await playlistOf(site, videoId))) {
      if (seen.has(part)) continue
      await until(async () => {
        const response = await fetch(`${site.origin}/media/live/${videoId}/source/${part}.m4s`)
        return response.ok ? (await response.arrayBuffer()).byteLength : undefined
      })
      seen.add(part)
    }
    await delay(1000)
  }
  return [...seen]
}

const streamOf = async (client: TestClient) => (await client.call(getLiveChannel, {})).stream

test('live streams and their viewers survive the death of each process', { timeout: 900_000 }, async () => {
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
  let encoder: Encoder | undefined
  try {
    await site.start()
    const [ofEncoder, ofBrowser] = [await signUp(site, 'encoder'), await signUp(site, 'browser')]
    const { key } = await ofEncoder.call(createLiveKey, {})
    encoder = new Encoder(`rtmp://127.0.0.1:${rtmpPort}/live/${key}`)
    const encoding = encoder.run()
    const broadcasting = broadcast(ofBrowser, tags, () => isOver)
    const ids = await Promise.all(
      [ofEncoder, ofBrowser].map((client) =>
        until(async () => {
          const stream = await streamOf(client)
          return stream?.isConnected ? stream.videoId : undefined
        }),
      ),
    )
    const viewers = Promise.all(ids.map((id) => watch(site, id, () => isOver)))

    for (const victim of victims) {
      const lengths = await Promise.all(ids.map(async (id) => segmentsOf(await playlistOf(site, id)).length))
      for (const pid of await site.find(victim)) signal(pid, 'SIGKILL')
      // both go on, at the same addresses
      for (const [at, id] of ids.entries())
        await until(async () => {
          const { length } = segmentsOf(await playlistOf(site, id))
          return length > (lengths[at] ?? 0) + 2 ? length : undefined
        })
    }

    isOver = true
    encoder.stop()
    const { acknowledged } = await broadcasting
    await encoding
    const seen = await viewers
    for (const id of ids)
      await until(async () => {
        const [video] = await ofEncoder.call(getVideo, { params: { id } })
        return video && !video.isLive ? true : undefined
      }, 120_000)
    const playlists = await Promise.all(ids.map(async (id) => segmentsOf(await playlistOf(site, id))))
    // whatever a viewer has seen is in the recording
    for (const [at, segments] of playlists.entries()) {
      const parts = segments.map(({ part }) => part)
      expect(seen[at]?.filter((part) => !parts.includes(part))).toEqual([])
      expect(new Set(parts).size).toBe(parts.length)
    }
    // each acknowledged piece is recorded exactly once
    const [, pieces = []] = playlists
    const seconds = pieces.reduce((sum, segment) => sum + segment.seconds, 0)
    expect(pieces.length).toBe(acknowledged)
    expect(Math.abs(seconds - acknowledged * KEY_SECONDS)).toBeLessThan(1)
    for (const [at, id] of ids.entries()) {
      const [video] = await ofEncoder.call(getVideo, { params: { id } })
      const total = (playlists[at] ?? []).reduce((sum, segment) => sum + segment.seconds, 0)
      expect(Math.abs((video?.duration ?? 0) - total)).toBeLessThan(2)
    }
  } catch (error) {
    console.error(site.output.slice(-20_000))
    throw error
  } finally {
    isOver = true
    encoder?.stop()
    await site.stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
  }
})
