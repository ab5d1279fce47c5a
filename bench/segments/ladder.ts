import { sandboxes } from '@kinora/platform/sandbox/sandbox.ts'
import { encodeSegments } from '@kinora/media/encode/encode.ts'
import { runTool } from '@kinora/media/process/ffmpeg.ts'
import { planPresentation } from '@kinora/media/plan/hls.ts'
import type { Rendition } from '@kinora/media/plan/renditions.ts'
import { probe } from '@kinora/media/probe/probe.ts'
import { cpuSeconds } from '../processes.ts'
import { clip, clipPath } from './clips.ts'
import { atMost, type Part, round } from './goals.ts'

const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }
const GOAL = 1.15

// without bubblewrap, because the system does not attribute the CPU time of its children
sandboxes.splice(0, sandboxes.length - 1)

/**
 * The whole ladder of 40 s of HEVC at 720p: in runs of eight segments, as by background preparation, and in single
 * segments, as for waiting viewers; compared with one ffmpeg process that encodes the same ladder.
 */
export const measureLadder: Part = async () => {
  const path = clip('hevc.mp4', 40)
  const source = await probe(tools, path)
  const { timeline, renditions } = planPresentation(source)
  const encode = async (segmentsPerRun: number) => {
    for (let from = 0; from < timeline.segmentCount; from += segmentsPerRun) {
      const range = { from, to: Math.min(from + segmentsPerRun, timeline.segmentCount) }
      await encodeSegments({ tools, source, timeline, path }, renditions, range, () => undefined)
    }
  }
  const raw = await cost(() =>
    runTool(tools.ffmpeg, rawArgs(path, renditions), { timeoutMs: 600_000, isUnsandboxed: true }),
  )
  const runs = await cost(() => encode(8))
  const singles = await cost(() => encode(1))
  const row = (way: string, seconds: number) => ({
    way,
    renditions: renditions.length,
    'CPU s': round(seconds, 1),
    'of raw': round(seconds / raw, 2),
  })
  return {
    rows: [row('one raw ffmpeg', raw), row('runs of eight segments', runs), row('single segments', singles)],
    goals: [atMost('CPU of a whole ladder, of one raw ffmpeg', GOAL, round(runs / raw, 2))],
  }
}

function rawArgs(path: string, renditions: Rendition[]): string[] {
  const graph = [
    `[0:V:0]split=${renditions.length}${renditions.map((_, i) => `[s${i}]`).join('')}`,
    ...renditions.map(
      (rendition, i) => `[s${i}]scale=${rendition.width}:${rendition.height}:flags=bicubic[v${i}]`,
    ),
  ]
  const outputs = renditions.flatMap(({ crf, maxBitrate }, i) =>
    [
      `-map [v${i}] -c:v libx264 -preset veryfast -crf ${crf} -maxrate ${maxBitrate} -bufsize ${maxBitrate} -g 96`,
      `-f mp4 ${clipPath(`raw-${i}.mp4`)}`,
    ].flatMap((args) => args.split(' ')),
  )
  return ['-v', 'error', '-y', '-i', path, '-filter_complex', graph.join(';'), ...outputs]
}

/** CPU seconds of this process, and of the programs that it starts, for some work. */
async function cost(work: () => Promise<void>): Promise<number> {
  const before = cpuSeconds([process.pid])
  await work()
  return cpuSeconds([process.pid]) - before
}
