import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import { childrenOf, cpuSeconds, ownCpuSeconds } from './processes.ts'
import { makeClip, startProduct } from './product.ts'
import { report, type Row } from './report.ts'

/**
 * Cost of each user action in bytes and in CPU time of the web process and PostgreSQL. CPU time depends less on other
 * load than durations do. `npm run bench -- scaling` uses the results.
 */
const clipSeconds = 24
const connections = 8
const directory = mkdtempSync(join(tmpdir(), 'kinora-constants-'))
const workerPort = 20_000 + (process.pid % 20_000)
const metricsToken = 'a token of this bench'
const product = await startProduct({
  REQUESTS_PER_MINUTE: '10000000',
  VIEWS_PER_MINUTE: '1000000',
  METRICS_PORT: String(workerPort),
  METRICS_TOKEN: metricsToken,
  PREPARE_POLICY: 'all',
})
try {
  const clip = join(directory, 'clip.mp4')
  const codecs = '-c:v libx264 -preset veryfast -b:v 4000k -pix_fmt yuv420p -g 60 -c:a aac'
  makeClip(
    clip,
    `-f lavfi -i testsrc2=s=1920x1080:r=30:d=${clipSeconds} -f lavfi -i sine=d=${clipSeconds}:r=48000 ${codecs} -movflags +faststart`,
  )
  const worker = `http://127.0.0.1:${workerPort}`
  const encoders = watchEncoders(product.pids.worker)
  const nodeBefore = await metric(worker, 'process_cpu_seconds_total')
  const { video } = await product.upload(clip, 'What it costs')
  await product.untilPrepared(video._id)
  const ffmpegSeconds = encoders.stop()
  const workerSeconds = (await metric(worker, 'process_cpu_seconds_total')) - nodeBefore
  const segments = join(product.dataDir, 'storage/segments', video._id)
  const encodedBytes = bytesBelow(segments)

  const master = await fetchText(video.streamUrl)
  const rendition = /^(\S+\/720\/index\.m3u8)$/m.exec(master)?.[1] ?? ''
  const stream = video.streamUrl.slice(0, video.streamUrl.lastIndexOf('/'))
  const rows: Row[] = []
  const measureCost = async (question: string, path: string, times: number, method = 'GET') => {
    rows.push({ question, ...(await cost(path, times, method)) })
  }
  await measureCost('segment of 720p, made', `${stream}/${rendition.replace('index.m3u8', '3.m4s')}`, 800)
  await measureCost('remuxed segment of the source', `${stream}/${SEGMENT_FORMAT}/source/3.m4s`, 400)
  await measureCost('playlist', `${stream}/${rendition}`, 400)
  await measureCost('thumbnail', video.thumbnail, 800)
  await measureCost('page of a video', `/video/${video._id}`, 400)
  await measureCost('video', `/api/v1/video/${video._id}`, 800)
  await measureCost('comments', `/api/v1/comment/get/${video._id}`, 400)
  await measureCost('search', `/api/v1/video/search/${encodeURIComponent(video.title)}`, 400)
  await measureCost('newest videos', '/api/v1/video/all?limit=24', 400)
  await measureCost('view', `/api/v1/video/${video._id}`, 500, 'PATCH')
  report(
    'constants',
    {
      'clip, s': clipSeconds,
      'source, bytes/s': Math.round(statSync(clip).size / clipSeconds),
      'made of it, bytes/s': Math.round(encodedBytes / clipSeconds),
      'ffmpeg, CPU s per s': Math.round((ffmpegSeconds / clipSeconds) * 1000) / 1000,
      'worker, CPU s per s': Math.round((workerSeconds / clipSeconds) * 1000) / 1000,
    },
    rows,
  )
} finally {
  await product.stop()
  rmSync(directory, { recursive: true, force: true })
}

/** Returns CPU microseconds and bytes per response, after a warm-up. */
async function cost(path: string, times: number, method: string): Promise<Row> {
  const run = async (howOften: number) => {
    let bytes = 0
    let left = howOften
    const lane = async () => {
      while (left-- > 0) {
        const response = await fetch(product.url + path, { method, headers: { origin: product.url } })
        if (!response.ok) throw new Error(`${path} returned ${response.status}`)
        bytes += (await response.arrayBuffer()).byteLength
      }
    }
    await Promise.all(Array.from({ length: connections }, lane))
    return bytes
  }
  await run(Math.ceil(times / 10))
  const [web, database] = [await metric(product.url, 'process_cpu_seconds_total'), databaseCpuSeconds()]
  const bytes = await run(times)
  const perResponse = (seconds: number) => Math.round((seconds * 1e6) / times)
  return {
    'web, CPU µs': perResponse((await metric(product.url, 'process_cpu_seconds_total')) - web),
    'PostgreSQL, CPU µs': perResponse(databaseCpuSeconds() - database),
    bytes: Math.round(bytes / times),
  }
}

async function metric(url: string, name: string): Promise<number> {
  const all = await (
    await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  ).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(all)?.[1])
}

async function fetchText(path: string): Promise<string> {
  return (await fetch(product.url + path)).text()
}

function bytesBelow(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0)
}

/** CPU time of PostgreSQL, including processes that have ended. */
function databaseCpuSeconds(): number {
  return cpuSeconds(product.pids.database)
}

/**
 * Sums the CPU time of all descendants of a process by sampling, because sandboxed programs are not counted among its
 * children. The last interval of each program is missed, so the sum is a few percent too low.
 */
function watchEncoders(parent: number): { stop(): number } {
  const seconds = new Map<number, number>()
  const sample = (pid: number) => {
    for (const child of childrenOf(pid)) {
      const used = ownCpuSeconds(child)
      if (used > (seconds.get(child) ?? 0)) seconds.set(child, used)
      sample(child)
    }
  }
  const timer = setInterval(() => sample(parent), 100)
  return {
    stop() {
      clearInterval(timer)
      return [...seconds.values()].reduce((sum, used) => sum + used, 0)
    },
  }
}
