import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { findQuietPort } from '@kinora/platform/testing/quiet-port.ts'
import { type Lane, plotPlayback, type Sample } from './network-plot.ts'
import { startLine } from './network-line.ts'
import { makeTrace, TRACE_STEP_MS, traceModels } from './network-traces.ts'
import { startNginx } from './nginx.ts'
import { makeClip, startProduct } from './product.ts'
import { report, type Row } from './report.ts'

/** Each visit lasts this long. */
const VISIT_MS = 30_000
const VISITS = Number(process.env['VISITS'] ?? 3)
const SAMPLE_MS = 100
/** A position that stays the same for longer is a stall. */
const STALL_MS = 250

/**
 * Playback through emulated lines, in a fresh browser that opens the watch page. Compared with a page that holds nothing but
 * a video and hls.js with its default settings, playing a copy of the same renditions from nginx. Every rendition is
 * prepared. Visits of both players alternate; the figures are medians.
 *
 *   npm run bench -- network 480 "1 Mbit" 3G    # one clip, lines by their names
 *   VISITS=1 npm run bench -- network
 */
interface Line {
  name: string
  /** Of both directions; undefined without a limit. */
  bitsPerSecond?: number
  /** Throughput that changes, instead. */
  trace?: number[]
  latencyMs?: number
  /** Offline this long, from the first frame on. */
  offlineMs?: number
}

const lines: Line[] = [
  { name: 'unlimited' },
  { name: '4 Mbit/s, 60 ms', bitsPerSecond: 4e6, latencyMs: 60 },
  { name: '1 Mbit/s, 100 ms', bitsPerSecond: 1e6, latencyMs: 100 },
  { name: '400 kbit/s, 400 ms', bitsPerSecond: 400e3, latencyMs: 400 },
  { name: '4 Mbit/s, offline for 10 s', bitsPerSecond: 4e6, latencyMs: 60, offlineMs: 10_000 },
  { name: '3G', trace: traceOf('3G'), latencyMs: 150 },
  { name: 'LTE in motion', trace: traceOf('LTE in motion'), latencyMs: 60 },
  { name: 'Wi-Fi with losses', trace: traceOf('Wi-Fi with losses'), latencyMs: 20 },
]

function traceOf(name: keyof typeof traceModels): number[] {
  return makeTrace(traceModels[name], VISIT_MS / TRACE_STEP_MS, 1)
}

const clips: Record<string, string> = {
  480: '-c:v libx264 -preset veryfast -b:v 1400k -maxrate 1600k -bufsize 3000k',
  1080: '-c:v libx264 -preset veryfast -b:v 5000k -maxrate 6000k -bufsize 10000k',
}
const widths: Record<string, number> = { 480: 854, 1080: 1920 }

const root = join(import.meta.dirname, '..')
const given = process.argv.slice(3)
const wanted = given.filter((each) => each in clips)
/** Arguments that are no number of lines select lines of the network by their names. */
const chosen = lines.filter(({ name }) => given.some((each) => name.startsWith(each)))
const unknown = given.filter((each) => !(each in clips) && !lines.some(({ name }) => name.startsWith(each)))
if (unknown.length > 0) throw new Error(`There is no clip or line ${unknown.join(', ')}`)
const directory = mkdtempSync(join(tmpdir(), 'kinora-network-'))
const plain = await startPlain()
const product = await startProduct({ CACHE_MAX_DISK_PERCENT: '99' })
const browser = await launchBrowser()
try {
  for (const height of wanted.length > 0 ? wanted : Object.keys(clips)) {
    const { video } = await product.upload(makeTestClip(height), `${height} lines`)
    await product.untilPrepared(video._id)
    const stream = `${product.url}/media/videos/${video._id}/master.m3u8`
    const bitrates = await readBitrates(stream)
    await copyStream(stream, join(plain.directory, height))
    const rows: Row[] = []
    const lanes: Lane[] = []
    const pages = {
      Kinora: `${product.url}/video/${video._id}`,
      'plain hls.js': `${plain.url}/?${height}/master.m3u8`,
    }
    for (const line of chosen.length > 0 ? chosen : lines) {
      const visits: { player: string; samples: Sample[]; row: Row }[] = []
      for (let index = 0; index < VISITS; index += 1)
        for (const [player, url] of Object.entries(pages)) {
          const samples = await visit(browser, url, line)
          visits.push({ player, samples, row: summarise(samples, bitrates) })
        }
      for (const player of Object.keys(pages)) {
        const own = visits.filter((each) => each.player === player)
        const load = Math.round(loadavg()[0] ?? 0)
        rows.push({ line: line.name, player, ...mediansOf(own.map(({ row }) => row)), load })
        console.log(rows.at(-1))
        const middle = own.toSorted((a, b) => firstFrameOf(a.row) - firstFrameOf(b.row))[
          Math.floor(VISITS / 2)
        ]
        if (middle) lanes.push({ line: line.name, player, samples: middle.samples })
      }
    }
    report(`network-${height}`, { visits: VISITS }, rows)
    const plot = plotPlayback(lanes, { seconds: VISIT_MS / 1000, stallMs: STALL_MS })
    writeFileSync(join(root, `docs/images/network-${height}.svg`), plot)
  }
} finally {
  await browser.close()
  plain.stop()
  await product.stop()
  rmSync(directory, { recursive: true, force: true })
}

/** Watches a page in a fresh browser and samples its video. */
async function visit(visitors: Browser, url: string, line: Line): Promise<Sample[]> {
  const context = await visitors.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await recordSamples(page)
  const network = await context.newCDPSession(page)
  const proxy = line.trace && (await startLine(url, line.trace, line.latencyMs ?? 0))
  if (!proxy) await emulate(network, line, false)
  // a slow page may not have fired `load` when the visit ends
  const visited = page.goto(proxy ? url.replace(new URL(url).origin, proxy.url) : url, {
    waitUntil: 'commit',
    timeout: 60_000,
  })
  const endsAt = performance.now() + VISIT_MS
  await visited
  if (line.offlineMs !== undefined) {
    await page.waitForFunction(() => (globalThis as unknown as Recorded).firstFrameAt > 0, undefined, {
      timeout: 60_000,
    })
    await emulate(network, line, true)
    await sleep(line.offlineMs)
    await emulate(network, line, false)
  }
  await sleep(Math.max(0, endsAt - performance.now()))
  const samples = await page.evaluate(() => (globalThis as unknown as Recorded).samples)
  await context.close()
  proxy?.stop()
  return samples
}

async function emulate(network: CDPSession, { bitsPerSecond, latencyMs = 0 }: Line, offline: boolean) {
  const throughput = bitsPerSecond === undefined ? -1 : bitsPerSecond / 8
  await network.send('Network.emulateNetworkConditions', {
    offline,
    latency: latencyMs,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  })
}

interface Recorded {
  samples: Sample[]
  firstFrameAt: number
}

/** Records from the start of the navigation on, also before there is a video. */
async function recordSamples(page: Page): Promise<void> {
  await page.addInitScript((everyMs) => {
    const recorded: Recorded = { samples: [], firstFrameAt: 0 }
    Object.assign(globalThis, recorded)
    const awaitFrame = ({ target }: Event) => {
      if (target instanceof HTMLVideoElement)
        target.requestVideoFrameCallback(() => {
          const global = globalThis as unknown as Recorded
          global.firstFrameAt ||= performance.now()
        })
    }
    for (const type of ['loadstart', 'play']) addEventListener(type, awaitFrame, true)
    setInterval(() => {
      const video = document.querySelector('video')
      const { firstFrameAt } = globalThis as unknown as Recorded
      recorded.samples.push({
        atMs: performance.now(),
        isShown: firstFrameAt > 0,
        firstFrameMs: firstFrameAt,
        positionSeconds: video?.currentTime ?? 0,
        height: video?.videoHeight ?? 0,
        isEnded: video?.ended ?? false,
      })
    }, everyMs)
  }, SAMPLE_MS)
}

function summarise(samples: Sample[], bitrates: Map<number, number>): Row {
  const shown = samples.filter(({ isShown }) => isShown)
  const playing = shown.filter(({ isEnded }) => !isEnded)
  let [stalls, stallMs, stoodMs, playedMs, playedBits, switches] = [0, 0, 0, 0, 0, 0]
  for (const [index, sample] of playing.entries()) {
    const before = playing[index - 1]
    if (!before) continue
    const elapsedMs = sample.atMs - before.atMs
    if (before.height > 0 && sample.height !== before.height) switches += 1
    if (sample.positionSeconds > before.positionSeconds) {
      stoodMs = 0
      playedMs += elapsedMs
      playedBits += (elapsedMs / 1000) * (bitrates.get(sample.height) ?? 0)
      continue
    }
    const wasStalled = stoodMs > STALL_MS
    stoodMs += elapsedMs
    if (stoodMs <= STALL_MS) continue
    stalls += wasStalled ? 0 : 1
    stallMs += wasStalled ? elapsedMs : stoodMs
  }
  return {
    'first frame, ms': Math.round(shown[0]?.firstFrameMs ?? Number.NaN),
    stalls,
    'stalled, s': Math.round(stallMs / 100) / 10,
    'rebuffered, %': Math.round((stallMs / Math.max(1, stallMs + playedMs)) * 1000) / 10,
    'mean, kbit/s': playedMs === 0 ? 0 : Math.round(playedBits / (playedMs / 1000) / 1000),
    switches,
    'highest lines': Math.max(0, ...shown.map(({ height }) => height)),
  }
}

function firstFrameOf(row: Row): number {
  return Number(row['first frame, ms'])
}

/** The median of each figure. A visit without a frame counts as the slowest. */
function mediansOf(rows: Row[]): Row {
  const middle = (name: string) =>
    rows
      .map((row) => Number(row[name]))
      .toSorted((a, b) => (Number.isNaN(a) ? 1 : Number.isNaN(b) ? -1 : a - b))[
      Math.floor(rows.length / 2)
    ] ?? Number.NaN
  return Object.fromEntries(Object.keys(rows[0] ?? {}).map((name) => [name, middle(name)]))
}

/** Average bits per second of the renditions of a stream, by their number of lines. */
async function readBitrates(stream: string): Promise<Map<number, number>> {
  const text = await (await fetch(stream)).text()
  const found = text.matchAll(/AVERAGE-BANDWIDTH=(\d+).*RESOLUTION=\d+x(\d+)/g)
  return new Map(Array.from(found, ([, bitrate, height]) => [Number(height), Number(bitrate)]))
}

/** A minute of moving pictures with grain, and a tone. */
function makeTestClip(height: string): string {
  const short = join(directory, `short-${height}.mp4`)
  const size = `${widths[height]}x${height}`
  const inputs = `-f lavfi -i testsrc2=s=${size}:r=24:d=10,noise=alls=12:allf=t -f lavfi -i sine=d=10:r=48000`
  makeClip(short, `${inputs} ${clips[height]} -pix_fmt yuv420p -g 48 -c:a aac -b:a 128k`)
  const clip = join(directory, `${height}.mp4`)
  makeClip(clip, `-stream_loop 5 -i ${short} -c copy -movflags +faststart`)
  return clip
}

/** Copies playlists and everything they name, so that another server sends the same bytes. */
async function copyStream(playlist: string, target: string): Promise<void> {
  const text = await (await fetch(playlist)).text()
  // Addresses may be absolute, or continue with a query.
  const named = text.matchAll(/^(?!#)\S.*$|URI="([^"]+)"/gm)
  let copied = text
  for (const [line, uri = line] of named) {
    const { href, pathname } = new URL(uri, playlist)
    const name = pathname.split('/').slice(-2).join('/')
    const isPlaylist = pathname.endsWith('.m3u8')
    copied = copied.replace(uri, isPlaylist ? name : (pathname.split('/').at(-1) ?? ''))
    if (isPlaylist) await copyStream(href, join(target, dirname(name)))
    else await save(href, join(target, pathname.split('/').at(-1) ?? ''))
  }
  mkdirSync(target, { recursive: true })
  writeFileSync(join(target, playlist.endsWith('master.m3u8') ? 'master.m3u8' : 'index.m3u8'), copied)
}

async function save(url: string, file: string): Promise<void> {
  mkdirSync(dirname(file), { recursive: true })
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} returned ${response.status}`)
  writeFileSync(file, Buffer.from(await response.arrayBuffer()))
}

/** nginx with a page that plays the stream in its query with the default settings of hls.js. */
async function startPlain(): Promise<{ url: string; directory: string; stop: () => void }> {
  // Started by root, nginx reads as another user.
  chmodSync(directory, 0o755)
  const site = join(directory, 'site')
  mkdirSync(site)
  writeFileSync(
    join(site, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Plain</title>
<video autoplay muted style="width: 1280px; height: 720px"></video>
<script src="/hls.js"></script>
<script>
  const player = new Hls()
  player.loadSource(location.search.slice(1))
  player.attachMedia(document.querySelector('video'))
</script>`,
  )
  const script = join(root, 'node_modules/hls.js/dist/hls.min.js')
  copyFileSync(script, join(site, 'hls.js'))
  writeFileSync(join(site, 'hls.js.gz'), gzipSync(readFileSync(script)))
  const port = await findQuietPort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const configuration = `daemon off; worker_processes 1; pid ${directory}/nginx.pid; error_log ${directory}/error.log;
events { worker_connections 512; }
http {
  access_log off; gzip_static on; sendfile on;
  types { text/html html; text/javascript js; application/vnd.apple.mpegurl m3u8; video/mp4 mp4 m4s; }
  ${temporary.map((name) => `${name}_temp_path ${directory}/${name};`).join(' ')}
  server { listen 127.0.0.1:${port}; root ${site}; }
}`
  const url = `http://127.0.0.1:${port}`
  const child = await startNginx(directory, url, configuration)
  return { url, directory: site, stop: () => child.kill() }
}
