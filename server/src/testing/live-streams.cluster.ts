import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  createLiveKey,
  endOwnLiveStream,
  getLiveChannel,
  openBrowserStream,
  type PieceReceipt,
  putLiveTemplate,
} from '@kinora/contract/live/live-streams.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { withClient } from '@kinora/platform/db/client.ts'
import {
  type ObjectStore,
  startObjectStore,
  whyNoObjectStore,
} from '@kinora/platform/testing/object-store.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { encodeTags, pieceOf } from './fixtures/live-pieces.ts'
import type { TestClient } from './fixtures/test-client.ts'
import { signUpAt } from './fixtures/test-users.ts'
import { type Cluster, startCluster } from './servers/start-cluster.ts'

const noObjectStore = whyNoObjectStore()
if (noObjectStore !== undefined) console.warn(`Skipped: ${noObjectStore}.`)
const storages = noObjectStore === undefined ? (['disk', 'bucket'] as const) : (['disk'] as const)

const KEY_SECONDS = 2
/** Parts that each viewer sees before the stream ends. */
const PARTS = 20

/** Hashes of the parts that a viewer received. */
type Seen = Map<number, string>

describe.each(storages)('live streams of a cluster, storage: %s', (storage) => {
  let cluster: Cluster
  let store: ObjectStore | undefined
  beforeAll(async () => {
    store = storage === 'bucket' ? await startObjectStore() : undefined
    cluster = await startCluster({ bucket: await store?.createBucket(), live: true })
  }, 300_000)
  afterAll(async () => {
    await cluster.stop()
    await store?.stop()
  }, 120_000)

  async function signUp(title: string): Promise<TestClient> {
    const { client } = await signUpAt(cluster.origin)
    const body = { title, description: '', visibility: 'public', keepsRecording: true } as const
    await client.call(putLiveTemplate, { body })
    return client
  }

  function encode(key: string): void {
    const inputs = '-re -f lavfi -i testsrc2=size=640x360:rate=25 -re -f lavfi -i sine=r=48000 -t 600'
    const codecs = `-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g ${25 * KEY_SECONDS} -c:a aac -ac 2`
    const address = `rtmp://127.0.0.1:${cluster.rtmpPort}/live/${key}`
    const args = ['-v', 'error', ...`${inputs} ${codecs}`.split(' '), '-f', 'flv', address]
    const encoder = spawn('ffmpeg', args, { stdio: 'ignore' })
    onTestFinished(() => void encoder.kill('SIGKILL'))
  }

  /** A browser whose pieces reach another web process each time. Returns how many were acknowledged. */
  async function broadcast(client: TestClient, isOver: () => boolean): Promise<number> {
    const tags = await encodeTags(300, KEY_SECONDS)
    const { id } = await client.call(openBrowserStream, {})
    const startedAt = performance.now()
    for (let piece = 0; ; piece += 1) {
      const isLast = isOver()
      const origin = cluster.webs[piece % cluster.webs.length] ?? ''
      const response = await client.at(origin).fetch(`/api/v1/studio/live/browser/${id}/${piece}`, {
        method: 'POST',
        headers: { 'content-type': 'application/offset+octet-stream' },
        body: pieceOf(tags, piece, { isLast }),
      })
      expect(response.status).toBe(200)
      const receipt = (await response.json()) as PieceReceipt
      if (isLast) return piece + 1
      expect(receipt).toEqual({ nextPiece: piece + 1, endReason: null })
      await delay(startedAt + (piece + 1) * KEY_SECONDS * 1000 - performance.now())
    }
  }

  async function untilLive(client: TestClient): Promise<string> {
    const stream = async () => (await client.call(getLiveChannel, {})).stream
    await expect.poll(async () => (await stream())?.isConnected).toBe(true)
    return (await stream())?.videoId ?? ''
  }

  const segmentsOf = (playlist: string) =>
    [...playlist.matchAll(/^(\d+)\.m4s$/gm)].map(([, part]) => Number(part))

  async function playlistOf(origin: string, videoId: string, track: string, next?: number): Promise<string> {
    const query = next === undefined ? '' : `?_HLS_msn=${next}`
    const response = await fetch(`${origin}/media/live/${videoId}/${track}/index.m3u8${query}`)
    expect([track, response.status]).toEqual([track, 200])
    return response.text()
  }

  /** Watches a track from now to the end of its stream, as players do: waits for each part, and loads it. */
  async function watch(origin: string, videoId: string, track: string, seen: Seen): Promise<Seen> {
    let next = segmentsOf(await playlistOf(origin, videoId, track)).length
    for (;;) {
      const playlist = await playlistOf(origin, videoId, track, next)
      for (const part of segmentsOf(playlist).slice(next)) {
        const response = await fetch(`${origin}/media/live/${videoId}/${track}/${part}.m4s`)
        const bytes = Buffer.from(await response.arrayBuffer())
        expect([track, part, response.status]).toEqual([track, part, 200])
        seen.set(part, createHash('sha256').update(bytes).digest('hex'))
      }
      next = segmentsOf(playlist).length
      if (playlist.includes('#EXT-X-ENDLIST')) return seen
    }
  }

  /** Parts that two viewers received with different bytes. */
  const differences = (one: Seen, other: Seen) =>
    [...one].filter(([part, hash]) => other.has(part) && other.get(part) !== hash).map(([part]) => part)

  test('all web processes show the same stream, and each part of a rendition is encoded once', async () => {
    const [ofEncoder, ofBrowser] = [await signUp('Encoder'), await signUp('Browser')]
    const { key } = await ofEncoder.call(createLiveKey, {})
    encode(key ?? '')
    let isOver = false
    const broadcasting = broadcast(ofBrowser, () => isOver)
    const [encoded, broadcasted] = await Promise.all([untilLive(ofEncoder), untilLive(ofBrowser)])
    const [first = '', second = '', third = ''] = cluster.webs
    for (const origin of [first, second, third])
      await expect
        .poll(async () => (await fetch(`${origin}/media/live/${encoded}/master.m3u8`)).text(), {
          timeout: 60_000,
        })
        .toContain('\n144/index.m3u8')

    const viewers = [encoded, broadcasted].map((videoId) =>
      ['source', 'audio-0', ...(videoId === encoded ? ['144'] : [])].map((track) => ({
        videoId,
        track,
        seen: [first, second].map(() => new Map<number, string>()),
      })),
    )
    const watching = viewers
      .flat()
      .flatMap(({ videoId, track, seen }) =>
        [first, second].map((origin, i) => watch(origin, videoId, track, seen[i] ?? new Map())),
      )
    // a failure is reported at once
    const everybody = Promise.all(watching)
    const enough = async () => {
      while (viewers.flat().some(({ seen }) => seen.some(({ size }) => size < PARTS))) await delay(200)
    }
    await Promise.race([enough(), everybody])

    isOver = true
    await ofEncoder.at(third).call(endOwnLiveStream, {})
    const acknowledged = await broadcasting
    await everybody
    for (const { track, seen } of viewers.flat()) {
      const [one = new Map(), other = new Map()] = seen
      expect([track, differences(one, other)]).toEqual([track, []])
      const parts = [...one.keys()]
      expect([track, parts]).toEqual([track, parts.map((_, i) => (parts[0] ?? 0) + i)])
    }
    const { rows } = await withClient(cluster.databaseUrl, (database) =>
      database.query<{ part: string; jobs: number }>(
        `select data->>'part' as part, count(*)::int as jobs from pgboss.job
         where name = 'live_streams.encode_part' and data->>'videoId' = $1 group by 1`,
        [encoded],
      ),
    )
    expect(rows.length).toBeGreaterThanOrEqual(PARTS)
    expect(rows.filter(({ jobs }) => jobs > 1)).toEqual([])

    for (const [videoId, client] of [
      [encoded, ofEncoder],
      [broadcasted, ofBrowser],
    ] as const) {
      const video = async () => (await client.call(getVideo, { params: { id: videoId } }))[0]
      await expect.poll(async () => (await video())?.isLive, { timeout: 60_000 }).toBe(undefined)
      for (const origin of cluster.webs) {
        const master = await (await fetch(`${origin}/media/videos/${videoId}/master.m3u8`)).text()
        expect(master).toContain('/source/index.m3u8')
      }
    }
    const [recorded] = await ofBrowser.call(getVideo, { params: { id: broadcasted } })
    expect(Math.abs((recorded?.duration ?? 0) - acknowledged * KEY_SECONDS)).toBeLessThan(1)
  }, 300_000)
})
