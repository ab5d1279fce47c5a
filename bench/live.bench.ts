import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { findQuietPort } from '@kinora/platform/testing/quiet-port.ts'
import type { Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { median } from './first-frame.ts'
import { openChannel, untilLive, untilRenditions } from './live-stream.ts'
import { watch, type Watched } from './live-viewers.ts'
import { childrenOf, cpuSeconds } from './processes.ts'
import { startProduct } from './product.ts'
import { report, type Row } from './report.ts'

/**
 * A live stream of 1280x720 from ffmpeg, with the time in its picture: delay from frame to frame in Chromium, CPU without
 * viewers, with many, and for each rendition that somebody watches, and the time from the end to a complete video. The reference
 * is `ffmpeg -c copy -f hls`, which gets the same packets from the same encoder.
 */
const windowSeconds = 20
const viewerCounts = [0, 1, 200]
const frameRate = 25
/** The time in milliseconds as black and white squares. */
const bits = 48
const square = 16

if (process.platform !== 'linux') throw new Error('CPU times are read from /proc.')
const directory = mkdtempSync(join(tmpdir(), 'kinora-live-'))
const rtmpPort = await findQuietPort()
const referencePort = await findQuietPort()
const product = await startProduct({
  LIVE: 'true',
  RTMP_HOST: '127.0.0.1',
  RTMP_PORT: String(rtmpPort),
})
const browser = await launchBrowser()
let encoder: ChildProcess | undefined
let reference: ChildProcess | undefined
try {
  const key = await openChannel(product, 'Clock')
  reference = spawn(
    'ffmpeg',
    [
      ...'-v error -listen 1 -f flv -i'.split(' '),
      `rtmp://127.0.0.1:${referencePort}/live/reference`,
      ...'-c copy -f hls -hls_time 2 -hls_list_size 0 -hls_segment_type fmp4'.split(' '),
      join(directory, 'index.m3u8'),
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  await delay(1000)
  encoder = encode(key)
  const videoId = await untilLive(product)
  const media = `${product.url}/media/live/${videoId}`
  const renditions = await untilRenditions(media)
  const rendition = renditions.at(-1)

  const processes = {
    web: () => [product.pids.web],
    ingest: () => childrenOf(product.pids.supervisor, 'ingest'),
    worker: () => [product.pids.worker],
    database: () => product.pids.database,
    'ffmpeg -c copy': () => [reference?.pid ?? 0],
  }
  const cpu = () =>
    Object.fromEntries(Object.entries(processes).map(([name, pids]) => [name, cpuSeconds(pids())]))
  const measureCpu = async <Result>(work: () => Promise<Result>): Promise<[Row, Result]> => {
    const before = cpu()
    const startedAt = performance.now()
    const result = await work()
    const elapsed = (performance.now() - startedAt) / 1000
    const after = cpu()
    const shares = Object.keys(after).map((name) => [
      `${name}, % of a core`,
      Math.round((((after[name] ?? 0) - (before[name] ?? 0)) / elapsed) * 1000) / 10,
    ])
    return [Object.fromEntries(shares) as Row, result]
  }

  const rows: Row[] = []
  for (const count of viewerCounts) {
    const [shares, watched] = await measureCpu<Watched | undefined>(() =>
      count === 0
        ? delay(windowSeconds * 1000, undefined)
        : watch({ base: media, track: 'source', count, seconds: windowSeconds }),
    )
    rows.push({ viewers: `${count} of the original`, ...shares, ...ofWatched(watched) })
  }
  const [ofClose, watchedClosely] = await measureCpu(() =>
    watch({ base: media, track: 'source', isClose: true, count: 200, seconds: windowSeconds }),
  )
  rows.push({ viewers: '200 of the original with low latency', ...ofClose, ...ofWatched(watchedClosely) })
  for (const track of renditions) {
    const [shares, watched] = await measureCpu(() =>
      watch({ base: media, track, count: 1, seconds: windowSeconds }),
    )
    rows.push({ viewers: `1 of ${track} lines, which is encoded`, ...shares, ...ofWatched(watched) })
  }

  const delays = await measureDelay(videoId)
  const plain = await measureDelay(videoId, { isPlain: true })
  const smaller = rendition === undefined ? undefined : await measureDelay(videoId, { quality: rendition })

  const endedAt = performance.now()
  encoder.kill('SIGTERM')
  const endMs = await untilRecording(videoId, endedAt)
  report(
    'live',
    {
      encoder: '1280x720 at 25 frames a second, 2.5 Mbit/s, keyframes every 2 s, two B-frames',
      'delay in Chromium, s (median)': seconds(median(delays.milliseconds)),
      'delay in Chromium, s (longest)': seconds(Math.max(...delays.milliseconds)),
      'stalls in 30 s': delays.stalls,
      'delay without partial segments, s (median)': seconds(median(plain.milliseconds)),
      'its longest, s': seconds(Math.max(...plain.milliseconds)),
      ...(smaller && {
        [`delay of ${rendition} lines, s (median)`]: seconds(median(smaller.milliseconds)),
        [`delay of ${rendition} lines, s (longest)`]: seconds(Math.max(...smaller.milliseconds)),
        'lines shown': smaller.lines,
        'its stalls in 30 s': smaller.stalls,
      }),
      'from the end to a complete video, ms': Math.round(endMs),
    },
    rows,
  )
} finally {
  encoder?.kill('SIGKILL')
  reference?.kill('SIGKILL')
  await browser.close()
  await product.stop()
  rmSync(directory, { recursive: true, force: true })
}

function seconds(milliseconds: number): number {
  return Math.round(milliseconds / 100) / 10
}

function ofWatched(watched: Watched | undefined): Row {
  return {
    segments: watched?.segments ?? 0,
    failed: watched?.failed ?? 0,
    'segment, ms': Math.round(watched?.segmentMs ?? 0),
  }
}

/** An encoder whose picture has the time of each frame in it, for the site and for the reference. */
function encode(key: string): ChildProcess {
  const addresses = [
    `rtmp://127.0.0.1:${rtmpPort}/live/${key}`,
    `rtmp://127.0.0.1:${referencePort}/live/reference`,
  ]
  const clock = `-f rawvideo -pix_fmt gray -s ${bits * square}x${square} -r ${frameRate} -i pipe:0`
  const inputs = `-re -f lavfi -i testsrc2=s=1280x720:r=${frameRate} -re -f lavfi -i sine=r=48000`
  const filter = '-filter_complex [0:v]format=yuv420p[c];[1:v][c]overlay=0:0[v] -map [v] -map 2:a'
  const video = '-c:v libx264 -preset superfast -b:v 2500k -maxrate 2500k -bufsize 2500k -g 50 -bf 2'
  const args = `-v error ${clock} ${inputs} ${filter} ${video} -pix_fmt yuv420p -c:a aac -ac 2 -flags +global_header -f tee`
  const child = spawn(
    'ffmpeg',
    [...args.split(' '), addresses.map((address) => `[f=flv]${address}`).join('|')],
    { stdio: ['pipe', 'inherit', 'inherit'] },
  )
  const startedAt = performance.now()
  let frame = 0
  const timer = setInterval(() => {
    for (; frame < ((performance.now() - startedAt) * frameRate) / 1000; frame += 1)
      child.stdin?.write(drawTime(Date.now()))
  }, 10)
  child.stdin?.on('error', () => undefined)
  child.once('close', () => clearInterval(timer))
  return child
}

function drawTime(time: number): Buffer {
  const line = Buffer.alloc(bits * square)
  for (let bit = 0; bit < bits; bit += 1) {
    const isSet = Math.floor(time / 2 ** bit) % 2 === 1
    line.fill(isSet ? 255 : 0, bit * square, (bit + 1) * square)
  }
  return Buffer.concat(Array.from({ length: square }, () => line))
}

/** Delays of the picture on the watch page in milliseconds, every half second for half a minute. */
async function measureDelay(
  videoId: string,
  { quality, isPlain = false }: { quality?: string; isPlain?: boolean } = {},
): Promise<{ milliseconds: number[]; stalls: number; lines: number }> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } })
  try {
    if (isPlain) await page.route('**/low-latency-*.js', (route) => route.abort())
    if (quality !== undefined)
      await page.addInitScript((lines) => sessionStorage.setItem('kinora.quality', lines), quality)
    return await sampleDelays(page, videoId)
  } finally {
    await page.close()
  }
}

async function sampleDelays(
  page: Page,
  videoId: string,
): Promise<{ milliseconds: number[]; stalls: number; lines: number }> {
  await page.goto(`${product.url}/video/${videoId}`)
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0)
  await delay(5000)
  return page.evaluate(
    async ({ bitCount, side }) => {
      const video = document.querySelector('video')
      if (!video) throw new Error('no video')
      let stalls = 0
      video.addEventListener('waiting', () => (stalls += 1))
      const canvas = document.createElement('canvas')
      const found: number[] = []
      for (let sample = 0; sample < 60; sample += 1) {
        await new Promise((resolve) => setTimeout(resolve, 500))
        const now = Date.now()
        canvas.width = video.videoWidth
        canvas.height = video.videoHeight
        const context = canvas.getContext('2d')
        // another rendition has smaller squares
        const scale = video.videoWidth / 1280
        context?.drawImage(video, 0, 0)
        let time = 0
        for (let bit = 0; bit < bitCount; bit += 1) {
          const x = Math.floor((bit + 0.5) * side * scale)
          const [light = 0] = context?.getImageData(x, Math.floor((side * scale) / 2), 1, 1).data ?? []
          if (light > 127) time += 2 ** bit
        }
        found.push(now - time)
      }
      return { milliseconds: found, stalls, lines: video.videoHeight }
    },
    { bitCount: bits, side: square },
  )
}

/** Milliseconds until the recording is an ordinary video, whose middle can be played. */
async function untilRecording(videoId: string, endedAt: number): Promise<number> {
  for (;;) {
    const [video] = await product.call<Video[]>('GET', `/video/${videoId}`)
    const master = await fetch(`${product.url}${video?.streamUrl ?? ''}`)
    if (!master.url.includes('/live/')) {
      const playlistUrl = new URL(
        /^\S*source\/index\.m3u8$/m.exec(await master.text())?.[0] ?? 'source/index.m3u8',
        master.url,
      )
      const playlist = await (await fetch(playlistUrl)).text()
      const files = playlist.match(/^\S+\.m4s$/gm) ?? []
      const middle = await fetch(new URL(files[Math.floor(files.length / 2)] ?? '', playlistUrl))
      await middle.arrayBuffer()
      if (middle.ok && playlist.includes('#EXT-X-ENDLIST')) return performance.now() - endedAt
    }
    await delay(50)
  }
}
