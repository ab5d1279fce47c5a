import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Video } from '@kinora/contract/videos.ts'
import { encodeSegments } from '../server/src/media/encode.ts'
import { runTool } from '../server/src/media/ffmpeg.ts'
import { planPresentation } from '../server/src/media/hls.ts'
import { probe } from '../server/src/media/probe.ts'
import { LocalStorage } from '../server/src/platform/storage/local.ts'
import { firstFrameOfStream, launchBrowser, openPlayerPage } from './browser.ts'
import { makeClip, startProduct, type Product } from './product.ts'
import { report, type Row } from './report.ts'

/** Does a video play at once, whatever it is and however long? What does a segment cost, and how long is it waited for? */
const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }
const directory = mkdtempSync(join(tmpdir(), 'kinora-segments-'))
const at = (name: string) => join(directory, name)
const picture = '-f lavfi -i testsrc2=s=1280x720:r=24:d=10,noise=alls=4:allf=t -f lavfi -i sine=d=10:r=48000'
const h264 =
  '-c:v libx264 -preset veryfast -b:v 900k -maxrate 1200k -bufsize 2000k -pix_fmt yuv420p -g 48 -c:a aac'
const h264At480p = `-vf scale=854:480 ${h264.replace('900k', '1500k').replace('1200k', '1800k')}`
const codecs: [name: string, file: string, args: string][] = [
  ['H.264/AAC mp4', 'h264.mp4', h264],
  [
    'VP9/Opus webm',
    'vp9.webm',
    '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -b:v 900k -g 48 -c:a libopus',
  ],
  [
    'HEVC/AAC mp4',
    'hevc.mp4',
    '-c:v libx265 -preset ultrafast -x265-params log-level=error:keyint=48 -b:v 900k -tag:v hvc1 -c:a aac',
  ],
  ['Theora/Vorbis ogv', 'theora.ogv', '-c:v libtheora -b:v 900k -g 48 -c:a libvorbis'],
]
/** A film whose ladder costs little. */
const SMALL = 'small.mp4'
const lengths: [name: string, seconds: number][] = [
  ['10 s', 10],
  ['10 min', 600],
  ['2 h', 7200],
]

const parts = {
  'first-frame': measureFirstFrames,
  'first-segment': measureFirstSegments,
  ladder: measureLadder,
  wait: measureWaits,
  workers: measureWorkers,
  stored: measureStored,
}
type Part = keyof typeof parts

/** `npm run bench -- segments` asks all, `npm run bench -- segments wait ladder` some of it. */
const asked = process.argv.slice(3)
const unknown = asked.filter((name) => !(name in parts))
if (unknown.length > 0) throw new Error(`There is no part ${unknown}; there are ${Object.keys(parts)}.`)

const product = await startProduct({ PREPARE_POLICY: 'none' })
try {
  for (const name of Object.keys(parts) as Part[]) {
    if (asked.length > 0 && !asked.includes(name)) continue
    const startedAt = performance.now()
    const rows = await parts[name]()
    report(`segments-${name}`, { seconds: Math.round((performance.now() - startedAt) / 1000) }, rows)
  }
} finally {
  await product.stop()
  rmSync(directory, { recursive: true, force: true })
}

/** The film of ten seconds of a codec, made when it is first asked for. */
function shortFilm(file: string): string {
  const args = file === SMALL ? h264At480p : (codecs.find(([, name]) => name === file)?.[2] ?? '')
  if (!existsSync(at(file))) makeClip(at(file), `${picture} ${args}`)
  return at(file)
}

/** Makes a film longer by repeating it, without encoding. */
function lengthen(file: string, seconds: number): string {
  const longer = at(`${seconds}-${file}`)
  makeClip(longer, `-stream_loop ${Math.ceil(seconds / 10) - 1} -i ${shortFilm(file)} -c copy`)
  return longer
}

async function measureFirstFrames(): Promise<Row[]> {
  const browser = await launchBrowser()
  const rows: Row[] = []
  for (const [codec, file] of codecs) {
    for (const [length, seconds] of lengths) {
      const film = seconds === 10 ? shortFilm(file) : lengthen(file, seconds)
      const page = await openPlayerPage(browser, product.url)
      const { video, lastByteAt, answeredAt } = await product.upload(film, codec)
      const playMs = await firstFrameOfStream(page, video.streamUrl)
      await page.context().close()
      const answerMs = Math.round(answeredAt - lastByteAt)
      rows.push({
        codec,
        length,
        'answered, ms': answerMs,
        'then first frame, ms': Math.round(playMs),
        'in all, ms': Math.round(answerMs + playMs),
      })
      if (seconds !== 10) rmSync(film)
    }
  }
  await browser.close()
  return rows
}

/** A segment of four seconds that nobody has made, of HEVC at 720p. */
async function measureFirstSegments(): Promise<Row[]> {
  const { video } = await product.upload(shortFilm('hevc.mp4'), 'first segments')
  const rows: Row[] = []
  for (const rung of ['240', '360', '480', '720']) {
    const startedAt = performance.now()
    const response = await fetch(`${product.url}/media/videos/${video._id}/1/${rung}/1.m4s`)
    const bytes = (await response.arrayBuffer()).byteLength
    rows.push({ rung, status: response.status, ms: Math.round(performance.now() - startedAt), bytes })
  }
  return rows
}

/** CPU seconds of this process and of all children that have ended. */
function cpuSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)?.split(' ') ?? []
  const children = (Number(fields[13]) + Number(fields[14])) / 100
  return children + (process.cpuUsage().user + process.cpuUsage().system) / 1e6
}

/** The whole ladder of 40 s of HEVC at 720p in runs of eight segments, against one ffmpeg that makes the same ladder. */
async function measureLadder(): Promise<Row[]> {
  const file = lengthen('hevc.mp4', 40)
  const source = await probe(tools, file)
  const { timeline, rungs } = planPresentation(source)
  const runs = await cost(async () => {
    for (let from = 0; from < timeline.segmentCount; from += 8) {
      const range = { from, to: Math.min(from + 8, timeline.segmentCount) }
      await encodeSegments({ tools, source, timeline, path: file }, rungs, range, () => undefined)
    }
  })
  const singles = await cost(async () => {
    for (let from = 0; from < timeline.segmentCount; from++) {
      await encodeSegments(
        { tools, source, timeline, path: file },
        rungs,
        { from, to: from + 1 },
        () => undefined,
      )
    }
  })
  const graph = [
    `[0:V:0]split=${rungs.length}${rungs.map((_, i) => `[s${i}]`).join('')}`,
    ...rungs.map((rung, i) => `[s${i}]scale=${rung.width}:${rung.height}:flags=bicubic[v${i}]`),
  ]
  const outputs = rungs.flatMap((rung, i) =>
    `-map [v${i}] -c:v libx264 -preset veryfast -crf ${rung.crf} -maxrate ${rung.maxBitrate} -bufsize ${rung.maxBitrate} -g 96 -f mp4 ${at(`raw-${i}.mp4`)}`.split(
      ' ',
    ),
  )
  const raw = await cost(() =>
    runTool('ffmpeg', ['-v', 'error', '-y', '-i', file, '-filter_complex', graph.join(';'), ...outputs], {
      timeoutMs: 600_000,
    }),
  )
  return [
    {
      rungs: rungs.length,
      'one raw ffmpeg, CPU s': raw.toFixed(1),
      'runs of eight, CPU s': runs.toFixed(1),
      'runs / raw': (runs / raw).toFixed(2),
      'single segments / raw': (singles / raw).toFixed(2),
    },
  ]
}

async function cost(work: () => Promise<void>): Promise<number> {
  const before = cpuSeconds()
  await work()
  return cpuSeconds() - before
}

const SEEKS = 8

/**
 * Viewers who each seek at random in a film of their own, one after the other, and wait for the segment: four seconds
 * of 480p, of HEVC at 720p.
 */
async function measureWaits(): Promise<Row[]> {
  const film = lengthen('hevc.mp4', 600)
  const rows: Row[] = []
  for (const viewers of [1, 4, 16]) {
    const waits: number[] = []
    await Promise.all(
      Array.from({ length: viewers }, async (_, viewer) => {
        const { video } = await product.upload(film, `viewer ${viewer}`)
        for (let seek = 0; seek < SEEKS; seek++) {
          const index = Math.floor(Math.random() * 145)
          const startedAt = performance.now()
          const response = await fetch(`${product.url}/media/videos/${video._id}/1/480/${index}.m4s`)
          await response.arrayBuffer()
          waits.push(response.ok ? performance.now() - startedAt : Number.POSITIVE_INFINITY)
        }
      }),
    )
    const sorted = waits.toSorted((a, b) => a - b)
    const rank = (part: number) =>
      Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0)
    rows.push({ viewers, 'p50, ms': rank(0.5), 'p95, ms': rank(0.95), seeks: sorted.length })
  }
  return rows
}

/** How long it takes to make the whole ladder of one film, by one worker process and by two. */
async function measureWorkers(): Promise<Row[]> {
  const seconds = 128
  const film = lengthen(SMALL, seconds)
  const rows: Row[] = []
  for (const workers of [1, 2]) {
    const site = await startProduct({ PREPARE_POLICY: 'all' })
    const others = Array.from({ length: workers - 1 }, () => startWorker(site))
    try {
      const { video, answeredAt } = await site.upload(film, `by ${workers}`)
      await untilPrepared(`${site.url}/api/v1/video/${video._id}`)
      const tookSeconds = (performance.now() - answeredAt) / 1000
      rows.push({
        workers,
        'film, s': seconds,
        'made in, s': Math.round(tookSeconds * 10) / 10,
        'seconds of film each second': Math.round((seconds / tookSeconds) * 10) / 10,
      })
    } finally {
      for (const other of others) other.kill('SIGTERM')
      await site.stop()
    }
  }
  return rows
}

/** One more worker process beside those of a site. */
function startWorker({ databaseUrl, dataDir }: Product) {
  return spawn(process.execPath, [join(import.meta.dirname, '../server/src/main.ts'), 'worker'], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      PREPARE_POLICY: 'all',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

const UPLOADS = 100
const WATCHED = 10

/**
 * What is on disk besides the uploads themselves, where one film in ten is watched, each by somebody with a slow
 * connection (the uploaded bits themselves would leave nothing behind), and the policy is `popular`.
 */
async function measureStored(): Promise<Row[]> {
  const film = lengthen(SMALL, 90)
  const popular = await startProduct({ PREPARE_POLICY: 'popular' })
  try {
    const addresses: string[] = []
    for (let upload = 0; upload < UPLOADS; upload++) {
      const { video } = await popular.upload(film, `stored ${upload}`)
      addresses.push(`${popular.url}/api/v1/video/${video._id}`)
      if (upload < WATCHED) await watch(popular.url, video._id)
    }
    for (const address of addresses) await untilPrepared(address)
    const bytes = { sources: 0, segments: 0 }
    const storage = new LocalStorage(join(popular.dataDir, 'storage'))
    for (const prefix of ['sources', 'segments'] as const) {
      for await (const { sizeBytes } of storage.list(`${prefix}/`)) bytes[prefix] += sizeBytes
    }
    return [
      {
        uploads: UPLOADS,
        watched: WATCHED,
        'of seconds': 90,
        'uploaded, MB': Math.round(bytes.sources / 1e6),
        'made, MB': Math.round(bytes.segments / 1e6),
        'stored / uploaded': ((bytes.sources + bytes.segments) / bytes.sources).toFixed(3),
      },
    ]
  } finally {
    await popular.stop()
  }
}

/** Asks for every segment of 360p in order, and again for those that are late. */
async function watch(url: string, id: string): Promise<void> {
  const base = `${url}/media/videos/${id}/1/360`
  const playlist = await (await fetch(`${base}/index.m3u8`)).text()
  for (const file of playlist.match(/^\d+\.m4s$/gm) ?? []) {
    while (!(await fetch(`${base}/${file}`)).ok) continue
  }
}

async function untilPrepared(address: string): Promise<void> {
  for (;;) {
    const answer = (await (await fetch(address)).json()) as { data: Video[] }
    if (answer.data[0]?.processing.state === 'ready') return
    await sleep(200)
  }
}
