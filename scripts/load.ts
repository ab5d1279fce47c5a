import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Random } from '../server/src/demo/random.ts'
import { VictimSite } from '../server/src/testing/chaos/site.ts'
import { TestClient } from '../server/src/testing/test-client.ts'
import { drawPicture, registrationForm, testPassword } from '../server/src/testing/test-users.ts'

/**
 * `npm run test:load -- --minutes 3`: viewers who play films in real time, uploads, and calls of the API, all at once
 * on a site of its own. Tells of errors, of segments that came later than they play, and of memory.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    viewers: { type: 'string', default: '200' },
    uploads: { type: 'string', default: '20' },
    calls: { type: 'string', default: '50' },
  },
})
const [minutes, viewers, uploads, callsPerSecond] = [
  values.minutes,
  values.viewers,
  values.uploads,
  values.calls,
].map(Number) as [number, number, number, number]
const segmentMs = 4000

const dataDir = mkdtempSync(join(tmpdir(), 'kinora-load-'))
const random = new Random('load')
const site = await VictimSite.prepare(dataDir)
const times = { segments: [] as number[], calls: [] as number[], uploads: [] as number[] }
const failures = new Map<string, number>()
const fail = (what: string) => failures.set(what, (failures.get(what) ?? 0) + 1)

function drawFilm(): Buffer {
  const file = join(dataDir, 'film.mp4')
  const inputs = '-f lavfi -i testsrc2=s=854x480:r=25:d=60 -f lavfi -i sine=d=60:r=48000'
  const codecs = '-c:v libx264 -preset veryfast -pix_fmt yuv420p -g 100 -c:a aac'
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...inputs.split(' '), ...codecs.split(' '), file])
  return readFileSync(file)
}

async function upload(client: TestClient, film: Buffer, title: string): Promise<string> {
  const form = new FormData()
  form.set('title', title)
  form.set('description', 'Load')
  form.set('thumbnail', await drawPicture(320, 180), 'x.png')
  form.set('video', new Blob([new Uint8Array(film)]), 'film.mp4')
  const { status, body } = await client.post('/api/v1/video/upload', form)
  if (status !== 201) throw new Error(`upload ${status}`)
  return (body.data as { _id: string })._id
}

/** Runs one thing; answers what it gave, and notes how long it took or how it failed. */
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

/** Plays a film over and over in real time, in one of its qualities. */
async function watch(id: string, until: number): Promise<void> {
  const client = new TestClient(site.origin)
  await delay(random.below(segmentMs))
  const base = `/media/videos/${id}/`
  const lists = String(await get(client, `${base}master.m3u8`)).match(/^[\w/]+\.m3u8$/gm) ?? []
  const list = random.pick(lists)
  const parts = String(await get(client, base + list)).match(/\w+\.m4s/g) ?? []
  for (let at = random.below(parts.length); Date.now() < until; at = (at + 1) % parts.length) {
    const startedAt = Date.now()
    const path = base + list.replace(/[^/]+$/, parts[at] ?? '')
    await timed(times.segments, 'segment', () => get(client, path))
    await delay(Math.max(0, segmentMs - (Date.now() - startedAt)))
  }
}

async function call(client: TestClient, ids: string[]): Promise<void> {
  const id = random.pick(ids)
  const asks: (() => Promise<{ status: number }>)[] = [
    () => client.get('/api/v1/video/all'),
    () => client.get(`/api/v1/video/${id}`),
    () => client.get(`/api/v1/comment/get/${id}`),
    () => client.get('/api/v1/video/search/film'),
    () => client.patch(`/api/v1/video/${id}`),
    () => client.post('/api/v1/comment/add', { videoId: id, content: 'Load' }),
    () => client.post(`/api/v1/likes/video/toggle/${id}`),
  ]
  await timed(times.calls, 'call', async () => {
    const { status } = await random.pick(asks)()
    if (status >= 400) throw new Error(String(status))
  })
}

/** Megabytes that the web process keeps in memory. */
function webMegabytes(): number {
  const [pid] = site.processes('web')
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes) / 1024)
}

function tell(name: string, all: number[]): void {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
  console.log(`${name}: ${all.length}, ms p50 ${at(0.5)} p95 ${at(0.95)} p99 ${at(0.99)} max ${at(1)}`)
}

try {
  const film = drawFilm()
  await site.start()
  const client = new TestClient(site.origin)
  await client.post('/api/v1/users/register', await registrationForm({ username: 'load' }))
  await client.post('/api/v1/users/login', { username: 'load', password: testPassword })
  const ids: string[] = []
  for (let count = 0; count < 5; count += 1) ids.push(await upload(client, film, `Film ${count}`))
  const isReady = async (id: string) => (await client.get(`/api/v1/video/${id}`)).text.includes('"ready"')
  for (const id of ids) while (!(await isReady(id))) await delay(500)

  const startedAt = Date.now()
  const until = startedAt + minutes * 60_000
  const memory: number[] = []
  const work = [
    ...Array.from({ length: viewers }, () => watch(random.pick(ids), until)),
    ...Array.from({ length: uploads }, async (_, index) => {
      await delay(((until - startedAt) * index) / uploads)
      await timed(times.uploads, 'upload', () => upload(client, film, `Upload ${index}`))
    }),
    (async () => {
      const running = new Set<Promise<void>>()
      while (Date.now() < until) {
        const one = call(client, ids).finally(() => running.delete(one))
        running.add(one)
        await delay(1000 / callsPerSecond)
      }
      await Promise.all(running)
    })(),
    (async () => {
      while (Date.now() < until) {
        memory.push(webMegabytes())
        await delay(1000)
      }
    })(),
  ]
  await Promise.all(work)

  const middle = (part: number[]) => part.toSorted((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0
  const stalls = times.segments.filter((ms) => ms > segmentMs).length
  console.log(
    `${viewers} viewers, ${uploads} uploads, ${callsPerSecond} calls a second, ${minutes} minutes, ${cpus().length} cores`,
  )
  tell('segments', times.segments)
  tell('calls', times.calls)
  tell('uploads', times.uploads)
  console.log(`segments later than they play: ${stalls}`)
  console.log(
    `web MB: first minute ${middle(memory.slice(0, 60))}, last minute ${middle(memory.slice(-60))}, most ${Math.max(...memory)}`,
  )
  console.log(
    failures.size === 0 ? 'no error' : [...failures].map(([what, count]) => `${count} x ${what}`).join('\n'),
  )
  process.exitCode = failures.size === 0 && stalls === 0 ? 0 : 1
} finally {
  await site.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
