import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { findQuietPort } from '@kinora/platform/testing/quiet-port.ts'
import { median } from './first-frame.ts'
import { openChannel, untilLive, untilRenditions } from './live-stream.ts'
import { watch } from './live-viewers.ts'
import { anonymousMemoryMb, childrenOf, cpuSeconds } from './processes.ts'
import { startProduct } from './product.ts'
import { report } from './report.ts'

/**
 * Memory of ingest, web and worker process while a live stream runs, with viewers of the original and of a rendition:
 * `npm run bench -- live-memory 60` for an hour. The picture is small so that its encoder needs little CPU, and filled up to the
 * bitrate of a larger one, because memory depends on bytes.
 */
const minutes = Number(process.argv.at(-1)) || 3
const sampleMs = 10_000
const tenths = 10
const viewerCount = 20

if (process.platform !== 'linux') throw new Error('Memory is read from /proc.')
const rtmpPort = await findQuietPort()
const product = await startProduct({
  LIVE: 'true',
  RTMP_HOST: '127.0.0.1',
  RTMP_PORT: String(rtmpPort),
})
let encoder: ChildProcess | undefined
try {
  const key = await openChannel(product, 'Memory')
  const inputs = '-re -f lavfi -i testsrc2=s=320x240:r=25 -re -f lavfi -i sine=r=48000'
  const rate = '-b:v 2500k -minrate 2500k -maxrate 2500k -bufsize 2500k -x264-params nal-hrd=cbr:force-cfr=1'
  const codecs = `-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 50 ${rate} -c:a aac -ac 2`
  const address = `rtmp://127.0.0.1:${rtmpPort}/live/${key}`
  encoder = spawn('ffmpeg', ['-v', 'error', ...`${inputs} ${codecs} -f flv ${address}`.split(' ')], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const base = `${product.url}/media/live/${await untilLive(product)}`
  const [rendition] = await untilRenditions(base)

  const processes = {
    ingest: childrenOf(product.pids.supervisor, 'ingest'),
    web: [product.pids.web],
    worker: [product.pids.worker],
  }
  const seconds = minutes * 60
  const cpuBefore = cpuSeconds(processes.ingest)
  const watching = Promise.all([
    watch({ base, track: 'source', count: viewerCount, seconds }),
    rendition === undefined ? undefined : watch({ base, track: rendition, count: 1, seconds }),
  ])
  const samples: Record<keyof typeof processes, number>[] = []
  const until = performance.now() + seconds * 1000
  const sum = (pids: number[]) => pids.reduce((total, pid) => total + anonymousMemoryMb(pid), 0)
  while (performance.now() < until) {
    samples.push({
      ingest: sum(processes.ingest),
      web: sum(processes.web),
      worker: sum(processes.worker),
    })
    await delay(sampleMs)
  }
  const [original, encoded] = await watching
  const cpu = cpuSeconds(processes.ingest) - cpuBefore
  const { stream } = await product.call<{ stream: { isConnected: boolean } | null }>('GET', '/studio/live')
  report(
    'live-memory',
    {
      stream: '320x240 with 2.5 Mbit/s, keyframes every 2 s',
      minutes,
      'still connected': String(stream?.isConnected ?? false),
      'viewers of the original': viewerCount,
      'their segments': original.segments,
      'their failures': original.failed,
      'rendition with one viewer': rendition ?? 'none',
      'its segments': encoded?.segments ?? 0,
      'its failures': encoded?.failed ?? 0,
      'ingest, % of a core': Math.round((cpu / seconds) * 1000) / 10,
    },
    Array.from({ length: tenths }, (_, tenth) => {
      const from = Math.floor((samples.length * tenth) / tenths)
      const part = samples.slice(
        from,
        Math.max(from + 1, Math.floor((samples.length * (tenth + 1)) / tenths)),
      )
      const of = (name: keyof typeof processes) => Math.round(median(part.map((each) => each[name])))
      return {
        'from minute': Math.round((minutes * tenth) / tenths),
        'ingest, MB': of('ingest'),
        'web, MB': of('web'),
        'worker, MB': of('worker'),
      }
    }),
  )
} finally {
  encoder?.kill('SIGKILL')
  await product.stop()
}
