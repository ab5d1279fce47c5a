import { execFileSync } from 'node:child_process'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeInit, encodeSegments, type EncodeJob } from '@kinora/media/encode/encode.ts'
import { planTimeline, segmentStart, type Timeline } from '@kinora/media/plan/timeline.ts'
import { planLadder, type Rendition } from '@kinora/media/plan/renditions.ts'
import { probe } from '@kinora/media/probe/probe.ts'
import { sandboxes } from '@kinora/platform/sandbox/sandbox.ts'
import { cpuSeconds } from './processes.ts'
import { bdRate, type RatePoint } from './quality/bd-rate.ts'
import { CLIP_SECONDS, clipNames, clipPath, makeQualityClip, removeQualityClips } from './quality/clips.ts'
import { type Panel, plotQuality } from './quality/plot.ts'
import { metricName, scoreFrames } from './quality/score.ts'
import { report, type Row } from './report.ts'
import { atMost, percentile, round } from './segments/goals.ts'

/**
 * Quality for each bit, by the Bjøntegaard delta rate: our segments, encoded one by one, against one continuous run of x264
 * with the same preset and keyframes but no limit, and against the settings of PeerTube for the same height. Below zero,
 * ours need fewer bits for the same score. Arguments select clips and heights (144, 240, 360):
 * `npm run bench -- quality grain 360`; clips of 1080 lines: `npm run bench -- quality grain 144 from=1080`.
 */
const GOAL_OF_CONTINUOUS = 4
const DEFAULT_HEIGHT = '240'
/** Added to the quality that a rendition is planned with. */
const steps = [0, 4, 8, 12]
/** Frames whose mean scores are compared on both sides of a border. */
const BORDER_FRAMES = 4

/** Bits for each pixel that PeerTube 7 aims at (`core-utils/src/videos/bitrate.ts`). */
const peerTubeBits: Record<string, number> = { 144: 0.19, 240: 0.17, 360: 0.15, 480: 0.12, 720: 0.11 }

const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }
const root = join(import.meta.dirname, '..')
const given = process.argv.slice(3)
const clips = given.filter((each) => clipNames.includes(each))
const heights = given.filter((each) => /^\d+$/.test(each))
const lines = given.find((each) => each.startsWith('from='))?.slice('from='.length)

// without bubblewrap, because the system does not attribute the CPU time of its children
sandboxes.splice(0, sandboxes.length - 1)

interface Measured {
  points: RatePoint[]
  /** CPU seconds of the first point. */
  cpu: number
  /** Scores of the frames of the first point. */
  frames: number[]
}

const rows: Row[] = []
const panels: Panel[] = []
try {
  for (const clip of clips.length > 0 ? clips : clipNames) {
    const path = await makeQualityClip(clip, lines === undefined ? undefined : Number(lines))
    const source = await probe(tools, path)
    const timeline = planTimeline(source)
    // without a passthrough rendition, so that the height of the source is encoded too
    const ladder = planLadder({ ...source, videoGaps: [] }, timeline)
    for (const height of heights.length > 0 ? heights : [DEFAULT_HEIGHT]) {
      const rendition = ladder.find(({ name }) => name === height)
      if (!rendition) continue
      const job = { tools, source, timeline, path }
      const ours = await measure(rendition, path, (file, crf) =>
        encodeOneByOne(job, { ...rendition, crf }, file),
      )
      const [, runCpu] = await cost(() => encodeInOneRun(job, rendition, clipPath('run.mp4')))
      const runFrames = scoreFrames(clipPath('run.mp4'), path, rendition.width, rendition.height)
      const continuous = await measure(rendition, path, (file, crf) =>
        encodePlain(
          path,
          rendition,
          file,
          `-preset ${rendition.preset} -crf ${crf} -g ${timeline.framesPerSegment}`,
        ),
      )
      const peertube = await measure(rendition, path, (file, crf) =>
        encodePlain(path, rendition, file, `${peerTubeArgs(rendition)} -crf ${crf}`),
      )
      const pump = findPump(ours.frames, timeline)
      const runPump = findPump(runFrames, timeline)
      rows.push({
        clip,
        height,
        'kbit/s': round((ours.points[0]?.bitrate ?? 0) / 1000),
        [metricName]: round(ours.points[0]?.score ?? 0, 1),
        'of continuous x264, %': round(bdRate(continuous.points, ours.points), 1),
        'of PeerTube, %': round(bdRate(peertube.points, ours.points), 1),
        'CPU of PeerTube': round(runCpu / peertube.cpu, 2),
        'step at borders, dB': round(pump.atBorders, 2),
        'step inside, dB': round(pump.inside, 2),
        'step at borders of a run, dB': round(runPump.atBorders, 2),
        'step inside a run, dB': round(runPump.inside, 2),
      })
      console.log(rows.at(-1))
      const curves = { Kinora: ours.points, 'continuous x264': continuous.points, PeerTube: peertube.points }
      panels.push({ title: `${clip}, ${height}p`, curves })
    }
  }
} finally {
  removeQualityClips()
}
const mean = (column: string) => {
  const values = rows.map((row) => Number(row[column])).filter((value) => !Number.isNaN(value))
  return round(values.reduce((sum, value) => sum + value, 0) / values.length, 2)
}
const goals = [
  atMost('bits of continuous x264, %', GOAL_OF_CONTINUOUS, mean('of continuous x264, %')),
  atMost('bits of PeerTube, %', 0, mean('of PeerTube, %')),
  atMost('CPU of PeerTube', 1, mean('CPU of PeerTube')),
]
console.table(goals)
if (given.length === 0) {
  writeFileSync(join(root, 'docs/images/quality.svg'), plotQuality(panels, metricName))
  report(
    'quality',
    { metric: metricName, ...Object.fromEntries(goals.map(({ what, seen }) => [what, seen])) },
    rows,
  )
} else console.table(rows)

/** Encodes a rendition with falling quality and scores each result. */
async function measure(
  { crf, width, height }: Rendition,
  source: string,
  encode: (file: string, crf: number) => Promise<void>,
): Promise<Measured> {
  const points: RatePoint[] = []
  let first: Pick<Measured, 'cpu' | 'frames'> = { cpu: 0, frames: [] }
  for (const step of steps) {
    const file = clipPath('encoded.mp4')
    const [, cpu] = await cost(() => encode(file, crf + step))
    const frames = scoreFrames(file, source, width, height)
    if (step === 0) first = { cpu, frames }
    const score = frames.reduce((sum, each) => sum + each, 0) / frames.length
    points.push({ bitrate: (statSync(file).size * 8) / CLIP_SECONDS, score })
  }
  return { points, ...first }
}

/** Encodes every segment by a run of its own, as for viewers who wait, and joins them. */
function encodeOneByOne(job: EncodeJob, rendition: Rendition, file: string): Promise<void> {
  return encodeInRuns(job, rendition, file, 1)
}

/** Encodes all segments in one run, as preparation does, and joins them. */
function encodeInOneRun(job: EncodeJob, rendition: Rendition, file: string): Promise<void> {
  return encodeInRuns(job, rendition, file, job.timeline.segmentCount)
}

async function encodeInRuns(job: EncodeJob, rendition: Rendition, file: string, size: number): Promise<void> {
  const { segmentCount } = job.timeline
  const parts = [await encodeInit(job, rendition)]
  for (let from = 0; from < segmentCount; from += size)
    await encodeSegments(
      job,
      [rendition],
      { from, to: Math.min(from + size, segmentCount) },
      (_, index, bytes) => {
        parts[index + 1] = bytes
      },
    )
  writeFileSync(file, Buffer.concat(parts))
}

async function encodePlain(
  path: string,
  { width, height }: Rendition,
  file: string,
  args: string,
): Promise<void> {
  const scale = `-an -vf scale=${width}:${height}:flags=bicubic`
  const all = `-v error -y -i ${path} ${scale} -c:v libx264 ${args} -threads 2 ${file}`
  execFileSync('ffmpeg', all.split(' '), { stdio: ['ignore', 'inherit', 'inherit'] })
}

/** Settings of PeerTube 7 for uploads: its default profile for x264, and a keyframe every two seconds. */
function peerTubeArgs({ name, width, height, framesPerSecond }: Rendition): string {
  const bitrate = Math.floor(width * height * framesPerSecond * (peerTubeBits[name] ?? 0.1))
  return `-preset veryfast -maxrate ${bitrate} -bufsize ${bitrate * 2} -b_strategy 1 -bf 16 -level:v 3.1 -g ${Math.round(framesPerSecond * 2)}`
}

/** The largest steps between the mean scores of neighbouring frames, at borders of segments and elsewhere. */
function findPump(frames: number[], timeline: Timeline): { atBorders: number; inside: number } {
  const borders = Array.from({ length: timeline.segmentCount - 1 }, (_, index) =>
    Math.round(segmentStart(timeline, index + 1) * (timeline.frameRate.num / timeline.frameRate.den)),
  )
  const meanOf = (from: number) =>
    frames.slice(from, from + BORDER_FRAMES).reduce((a, b) => a + b, 0) / BORDER_FRAMES
  const step = (at: number) => Math.abs(meanOf(at) - meanOf(at - BORDER_FRAMES))
  const elsewhere = frames
    .map((_, index) => index)
    .slice(BORDER_FRAMES, -BORDER_FRAMES)
    .filter((at) => borders.every((border) => Math.abs(at - border) > BORDER_FRAMES))
  return { atBorders: Math.max(...borders.map(step)), inside: percentile(elsewhere.map(step), 1) }
}

/** Result and CPU seconds, of this process and of the programs that it starts, of some work. */
async function cost<Result>(work: () => Promise<Result>): Promise<[Result, number]> {
  const before = cpuSeconds([process.pid])
  const result = await work()
  return [result, cpuSeconds([process.pid]) - before]
}
