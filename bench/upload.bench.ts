import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBareSink } from './bare-sink.ts'
import { ownCpuSeconds, peakMemoryMb } from './processes.ts'
import { makeClip, sendFile, startProduct } from './product.ts'
import { round } from './reads.ts'
import { report } from './report.ts'

/**
 * Throughput and memory of a large upload, compared with `dd` on the same disk and with a bare Node server that writes
 * the request to a file. The sender uses CPU, too.
 */
const bytes = 1e9
/** Rounds per variant, alternating; the median counts. */
const rounds = 3

const directory = mkdtempSync(join(tmpdir(), 'kinora-upload-'))
const product = await startProduct({ PREPARE_POLICY: 'none' })
try {
  const short = join(directory, 'short.mp4')
  const picture = 'testsrc2=s=1280x720:r=24:d=20,noise=alls=40:allf=t'
  makeClip(short, `-f lavfi -i ${picture} -c:v libx264 -preset ultrafast -b:v 20M -pix_fmt yuv420p -g 48`)
  const clip = join(directory, 'clip.mp4')
  makeClip(clip, `-stream_loop ${Math.ceil(bytes / statSync(short).size) - 1} -i ${short} -c copy`)
  const megabytes = statSync(clip).size / 1e6
  const copy = join(directory, 'copy')
  const restMb = product.peakMemoryMb('web')
  const sink = await startBareSink(copy)
  const ways = {
    dd: () => execFileSync('dd', [`if=${clip}`, `of=${copy}`, 'bs=1M', 'conv=fsync', 'status=none']),
    node: () => sendFile(sink.url, {}, clip),
    kinora: () => product.upload(clip, 'Large'),
  }
  const took: Record<keyof typeof ways, number[]> = { dd: [], node: [], kinora: [] }
  const cpu: number[] = []
  let peakMb = restMb
  for (let turn = 0; turn < rounds; turn += 1) {
    for (const way of ['dd', 'node', 'kinora'] as const) {
      const before = ownCpuSeconds(product.pids.web)
      took[way].push(await seconds(ways[way]))
      // of the first upload; later ones reuse allocated memory
      if (way === 'kinora' && turn === 0) peakMb = product.peakMemoryMb('web')
      if (way === 'kinora') cpu.push(ownCpuSeconds(product.pids.web) - before)
      rmSync(copy, { force: true })
    }
  }
  const speed = (way: keyof typeof ways) => megabytes / middleOf(took[way])
  report('upload', { MB: Math.round(megabytes), rounds }, [
    {
      'upload, MB/s': Math.round(speed('kinora')),
      'dd, MB/s': Math.round(speed('dd')),
      'of dd': round(speed('kinora') / speed('dd'), 2),
      'bare Node, MB/s': Math.round(speed('node')),
      'of bare Node': round(speed('kinora') / speed('node'), 2),
      'CPU s of web': round(middleOf(cpu), 2),
      'memory of web before, MB': restMb,
      'at its peak, MB': peakMb,
      'its reader, MB': product.peakMemoryMb('reader'),
      'after three, MB': product.peakMemoryMb('web'),
      'of bare Node, MB': peakMemoryMb(sink.pid),
    },
  ])
  await sink.stop()
} finally {
  await product.stop()
  rmSync(directory, { recursive: true, force: true })
}

function middleOf(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}

async function seconds(work: () => unknown): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}
