import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import { attackSize } from '@kinora/platform/testing/attack.ts'
import { createTestApp, type TestApp } from './fixtures/test-app.ts'
import type { TestClient } from './fixtures/test-client.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { h264, publishSource } from './fixtures/test-sources.ts'
import { uploadForm } from './fixtures/test-uploads.ts'
import { signUp } from './fixtures/test-users.ts'

/** Milliseconds. The short form only shows that nothing is blocked, on however busy a machine. */
const limits = attackSize({
  short: {
    rounds: 1,
    scale: 1,
    list: 15_000,
    search: 15_000,
    medianPlayback: 60_000,
    playback: 60_000,
    upload: () => 60_000,
  },
  full: {
    rounds: 8,
    scale: 4,
    list: 500,
    search: 1000,
    medianPlayback: 3000,
    playback: 5000,
    // the inspection shares two cores with the encoders
    upload: (usual: number) => 10 * usual,
  },
})

let site: TestApp

beforeAll(async () => {
  // the limits of a production site, which the flood reaches
  const settings = {
    TRUST_PROXY: 'true',
    REQUESTS_PER_MINUTE: '6000',
    SEARCHES_PER_MINUTE: '300',
    REGISTRATIONS_PER_HOUR: '2000',
  }
  site = await createTestApp({ settings, worker: true })
})
afterAll(() => site.close())

const home = { 'x-forwarded-for': '198.51.100.7' }

async function timed(send: () => Promise<Response>): Promise<number> {
  const startedAt = performance.now()
  const response = await send()
  await response.arrayBuffer()
  const elapsed = performance.now() - startedAt
  expect(response.ok, `${response.status} from ${response.url}`).toBe(true)
  return elapsed
}

/** Steps of a visit: the list, a search, the first segment of a video, a small upload. */
async function visit(client: TestClient, videoId: string, term: string) {
  const get = (address: string) => () => client.fetch(address, { headers: home })
  const form = await uploadForm({}, await drawClip('mp4'))
  const upload = { method: 'POST', headers: home, body: form }
  const playlist = await timed(get(`/media/videos/${videoId}/master.m3u8`))
  return {
    list: await timed(get('/api/v1/video/all')),
    search: await timed(get(`/api/v1/video/search/${term}`)),
    playback: playlist + (await timed(get(`/media/videos/${videoId}/${SEGMENT_FORMAT}/240/0.m4s`))),
    upload: await timed(() => client.fetch('/api/v1/video/upload', upload)),
  }
}

test('a visitor lists, searches, plays and uploads during a flood', async () => {
  const { client } = await signUp(site)
  const flooded = await publishSource(site, 'long.mp4', `-vf setpts=60*PTS -an ${h264}`, '64x36')
  const videos: string[] = []
  for (let round = 0; round <= limits.rounds; round += 1)
    videos.push((await publishSource(site, 'watched.mp4', h264)).id)
  // the first upload of a process takes longer
  await visit(client, videos[0] ?? '', 'warm')
  const usual = await visit(client, videos[0] ?? '', 'plank')

  const program = path.join(import.meta.dirname, 'flood.ts')
  const args = [program, site.origin, flooded.id, SEGMENT_FORMAT, String(limits.scale)]
  const flood = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void flood.kill('SIGKILL'))
  await once(flood.stdout, 'data')

  const visits: (typeof usual)[] = []
  for (const [round, video] of videos.slice(1).entries())
    visits.push(await visit(client, video, `plank${round}`))
  flood.kill('SIGKILL')

  const worst = (of: keyof typeof usual) => Math.max(...visits.map((each) => each[of]))
  const median = (of: keyof typeof usual) =>
    visits.map((each) => each[of]).toSorted((a, b) => a - b)[Math.floor(visits.length / 2)] ?? 0
  expect(worst('list')).toBeLessThan(limits.list)
  expect(worst('search')).toBeLessThan(limits.search)
  expect(median('playback')).toBeLessThan(limits.medianPlayback)
  expect(worst('playback')).toBeLessThan(limits.playback)
  expect(median('upload')).toBeLessThan(limits.upload(usual.upload))
})
