import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Random } from '../server/src/demo/random.ts'
import { VictimSite } from '../chaos/site.ts'
import { TestClient } from '../server/src/testing/fixtures/test-client.ts'
import { drawPicture, registrationForm, testPassword } from '../server/src/testing/fixtures/test-users.ts'

/**
 * `npm run test:load`: for ten minutes viewers play videos in real time, while others upload, five at a time, and call
 * the API of a temporary site. Reports errors, late segments and memory, and the CPU share of the viewers, which run on
 * the same machine.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    viewers: { type: 'string', default: '200' },
    uploads: { type: 'string', default: '20' },
    calls: { type: 'string', default: '50' },
  },
})
const [minutes, viewers] = [Number(values.minutes), Number(values.viewers)]
const [uploads, callsPerSecond] = [Number(values.uploads), Number(values.calls)]
const segmentMs = 4000
const uploadsAtOnce = 5

const dataDir = mkdtempSync(join(tmpdir(), 'kinora-load-'))
const random = new Random('load')
const site = await VictimSite.prepare(dataDir)
const times = { segments: [] as number[], calls: [] as number[], uploads: [] as number[] }
const failures = new Map<string, number>()
const fail = (what: string) => failures.set(what, (failures.get(what) ?? 0) + 1)

function createVideo(): Buffer {
  const file = join(dataDir, 'video.mp4')
  const inputs = '-f lavfi -i testsrc2=s=854x480:r=25:d=60 -f lavfi -i sine=d=60:r=48000'
  const codecs = '-c:v libx264 -preset veryfast -pix_fmt yuv420p -g 100 -c:a aac'
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...inputs.split(' '), ...codecs.split(' '), file])
  return readFileSync(file)
}

async function upload(client: TestClient, video: Buffer, title: string): Promise<string> {
  const form = new FormData()
  form.set('title', title)
  form.set('description', 'Load')
  form.set('thumbnail', await drawPicture(320, 180), 'x.png')
  form.set('video', new Blob([new Uint8Array(video)]), 'video.mp4')
  const { status, body } = await client.post('/api/v1/video/upload', form)
  if (status !== 201) throw new Error(`upload ${status}`)
  return (body.data as { _id: string })._id
}

/** Runs an operation and records its duration or error. */
async function timed<T>(into: number[], what: string, work: () => Promise<T>): Promise<T | undefined> {
  const startedAt = performance.now()
  try {
    const result = await work()
    into.push(performance.now() - startedAt)
    return result
  } catch (error) {
    fail(`${what}: ${error instanceof Error ? error.message : 'failed'}`)
    return undefined
  }
}

async function get(client: TestClient, path: string): Promise<Buffer> {
  const response = await client.fetch(path)
  const bytes = Buffer.from(await response.arrayBuffer())
  if (!response.ok) throw new Error(String(response.status))
  return bytes
}

/** Plays a random rendition of a video with its audio in real time, repeatedly. */
async function watch(id: string, until: number): Promise<void> {
  const client = new TestClient(site.origin)
  await delay(random.below(segmentMs))
  const base = `/media/videos/${id}/`
  const master = await timed([], 'playlist', async () => String(await get(client, `${base}master.m3u8`)))
  const renditions = master?.match(/^[\w/]+\.m3u8$/gm) ?? []
  const sound = master?.match(/(?<=URI=")[\w/-]+\.m3u8/g) ?? []
  const lists = [random.pick(renditions), ...sound]
  const tracks = await Promise.all(
    lists.map(async (list) => {
      const names = String(await get(client, base + list)).match(/\w+\.m4s/g) ?? []
      return names.map((name) => base + list.replace(/[^/]+$/, name))
    }),
  )
  const count = Math.min(...tracks.map((track) => track.length))
  let dueAt = performance.now()
  for (let at = random.below(count); Date.now() < until; at = (at + 1) % count) {
    await timed(times.segments, 'segment', () =>
      Promise.all(tracks.map((track) => get(client, track[at] ?? ''))),
    )
    // requests the next segment after the duration of the current one
    dueAt = Math.max(dueAt + segmentMs, performance.now())
    await delay(dueAt - performance.now())
  }
}

async function call(client: TestClient, ids: string[]): Promise<void> {
  const id = random.pick(ids)
  const requests: (() => Promise<{ status: number }>)[] = [
    () => client.get('/api/v1/video/all'),
    () => client.get(`/api/v1/video/${id}`),
    () => client.get(`/api/v1/comment/get/${id}`),
    () => client.get('/api/v1/video/search/video'),
    () => client.patch(`/api/v1/video/${id}`),
    () => client.post('/api/v1/comment/add', { videoId: id, content: 'Load' }),
    () => client.post(`/api/v1/likes/video/toggle/${id}`),
  ]
  await timed(times.calls, 'call', async () => {
    const { status } = await random.pick(requests)()
    if (status >= 400) throw new Error(String(status))
  })
}

/** Megabytes that a process keeps in memory; undefined where it is just being started again. */
function megabytesOf(part: 'web' | 'worker'): number | undefined {
  const [pid] = site.processes(part)
  if (pid === undefined) return void fail(`${part} is not running`)
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes) / 1024)
}

function printPercentiles(name: string, all: number[]): void {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
  console.log(`${name}: ${all.length}, ms p50 ${at(0.5)} p95 ${at(0.95)} p99 ${at(0.99)} max ${at(1)}`)
}

try {
  const video = createVideo()
  await site.start()
  const client = new TestClient(site.origin)
  await client.post('/api/v1/users/register', await registrationForm({ username: 'load' }))
  await client.post('/api/v1/users/login', { username: 'load', password: testPassword })
  const ids: string[] = []
  for (let count = 0; count < 5; count += 1) ids.push(await upload(client, video, `Video ${count}`))
  const isReady = async (id: string) => (await client.get(`/api/v1/video/${id}`)).text.includes('"ready"')
  for (const id of ids) while (!(await isReady(id))) await delay(500)

  const startedAt = Date.now()
  const until = startedAt + minutes * 60_000
  const memory = { web: [] as number[], worker: [] as number[] }
  const before = process.cpuUsage()
  const work = [
    ...Array.from({ length: viewers }, () => watch(random.pick(ids), until)),
    ...Array.from({ length: uploads }, async (_, index) => {
      const wave = Math.floor(index / uploadsAtOnce)
      await delay(((until - startedAt) * wave * uploadsAtOnce) / uploads)
      await timed(times.uploads, 'upload', () => upload(client, video, `Upload ${index}`))
    }),
    (async () => {
      const running = new Set<Promise<void>>()
      for (let dueAt = performance.now(); Date.now() < until; dueAt += 1000 / callsPerSecond) {
        const one = call(client, ids).finally(() => running.delete(one))
        running.add(one)
        await delay(Math.max(0, dueAt - performance.now()))
      }
      await Promise.all(running)
    })(),
    (async () => {
      while (Date.now() < until) {
        for (const part of ['web', 'worker'] as const) memory[part].push(megabytesOf(part) ?? 0)
        await delay(1000)
      }
    })(),
  ]
  await Promise.all(work)

  const median = (part: number[]) => part.toSorted((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0
  const stalls = times.segments.filter((ms) => ms > segmentMs).length
  console.log(
    `${viewers} viewers, ${uploads} uploads, ${callsPerSecond} calls a second, ${minutes} minutes, ${cpus().length} cores`,
  )
  printPercentiles('segments', times.segments)
  printPercentiles('calls', times.calls)
  printPercentiles('uploads', times.uploads)
  console.log(`segments later than they play: ${stalls}`)
  for (const [part, seen] of Object.entries(memory)) {
    console.log(
      `${part} MB: first minute ${median(seen.slice(0, 60))}, last minute ${median(seen.slice(-60))}, most ${Math.max(...seen)}`,
    )
  }
  const { user, system } = process.cpuUsage(before)
  console.log(`of one core, the viewers took ${((user + system) / (minutes * 600_000)).toFixed(0)} %`)
  console.log(
    failures.size === 0 ? 'no error' : [...failures].map(([what, count]) => `${count} x ${what}`).join('\n'),
  )
  process.exitCode = failures.size === 0 && stalls === 0 ? 0 : 1
} finally {
  await site.stop()
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
}
