import { execFileSync } from 'node:child_process'

/**
 * Compares videos frame by frame, in decibels for SSIM and XPSNR: VMAF where ffmpeg has it, else XPSNR, else SSIM. Only
 * SSIM has been run; Debian's ffmpeg 5 has no other.
 */
interface Metric {
  name: string
  filter: string
  /** Finds the scores of the frames in the filter's log. */
  score: RegExp
  toScore: (value: number) => number
}

const metrics: Metric[] = [
  {
    name: 'VMAF',
    filter: 'libvmaf=log_fmt=json:log_path=/dev/stdout',
    score: /"vmaf": ([\d.]+)\s*\}/g,
    toScore: (value) => value,
  },
  { name: 'XPSNR, dB', filter: 'xpsnr=stats_file=-', score: /XPSNR y: *([\d.]+|inf)/g, toScore: Number },
  {
    name: 'SSIM, dB',
    filter: 'ssim=stats_file=-',
    score: / Y:([\d.]+)/g,
    toScore: (value) => -10 * Math.log10(Math.max(1e-6, 1 - value)),
  },
]

const filters = execFileSync('ffmpeg', ['-v', 'error', '-filters'], { encoding: 'utf8' })
const metric = metrics.find(({ filter }) => filters.includes(` ${filter.split('=', 1)[0]} `)) ?? metrics[2]

/** Name and unit of the scores, such as `SSIM, dB`. */
export const metricName = metric?.name ?? ''

/** Scores of the frames of a rendition, compared with the source scaled to its size. */
export function scoreFrames(rendition: string, source: string, width: number, height: number): number[] {
  if (!metric) return []
  const graph = `[1]scale=${width}:${height}:flags=bicubic,settb=1/90000,setpts=N[b];[0]settb=1/90000,setpts=N[a];[a][b]${metric.filter}`
  const log = execFileSync(
    'ffmpeg',
    ['-v', 'error', '-i', rendition, '-i', source, '-filter_complex', graph, '-f', 'null', '-'],
    { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  return Array.from(log.matchAll(metric.score), ([, value]) => metric.toScore(Number(value)))
}
