import { availableParallelism } from 'node:os'
import { runTool, type MediaTools } from './ffmpeg.ts'
import {
  AUDIO_LEAD_IN_FRAMES,
  encodeArgs,
  encodeAudioArgs,
  initArgs,
  MUXER_SHIFT_SECONDS,
  VIDEO_TIMESCALE,
  type EncodeOptions,
  type SegmentRange,
} from './ffmpeg-args.ts'
import { FragmentReader, writeSegment, type Sample } from './fmp4.ts'
import type { Rung } from './ladder.ts'
import type { SourceInfo } from './source-info.ts'
import {
  AAC_FRAME_SAMPLES,
  cutSeconds,
  frameSeconds,
  segmentStart,
  type AudioPlan,
  type Timeline,
} from './timeline.ts'

/** What a run needs besides its range. */
export type EncodeJob = {
  tools: MediaTools
  source: SourceInfo
  timeline: Timeline
  path: string
  signal?: AbortSignal | undefined
  niceness?: number | undefined
}

/** Called with each segment as soon as it is whole. */
export type OnSegment = (rung: Rung, index: number, bytes: Buffer) => void

/** Frames per second where a gap is filled: those of the source, but enough to seek in. */
const MIN_FILL_FRAME_RATE = 2

/** Encodes a range of segments for all rungs given, decoding the source once. Throws SourceEnded where it has no picture. */
export async function encodeSegments(
  job: EncodeJob,
  rungs: Rung[],
  range: SegmentRange,
  onSegment: OnSegment,
): Promise<void> {
  const { source, timeline } = job
  const isVariable = source.video.isVariableFrameRate
  // One rung has the machine for itself; several share it.
  const threads = Math.min(availableParallelism(), rungs.length === 1 ? 8 : 2)
  const lookAheadSeconds = isVariable ? 1 : frameSeconds(timeline) * 1.6
  const missing = await encodeRun(job, rungs, range, onSegment, {
    threads,
    lookAheadSeconds,
    seeksByIndex: isVariable,
  }).catch((error: unknown) => {
    if (!(error instanceof LateStart)) throw error
    return encodeRun(job, rungs, range, onSegment, { threads, lookAheadSeconds, seeksByIndex: true })
  })
  // A segment that begins with a gap, or is nothing else, repeats the frame before it.
  for (const index of missing) {
    const left = await encodeRun(job, rungs, { from: index, to: index + 1 }, onSegment, {
      threads,
      lookAheadSeconds: 3600,
      seeksByIndex: true,
      fillFrameRate: Math.max(MIN_FILL_FRAME_RATE, 1 / frameSeconds(timeline)),
    })
    if (left.length > 0) throw new SourceEnded(index)
  }
}

/** The first frame that came is later than it should be: the demuxer has found a keyframe beyond the range. */
class LateStart extends Error {}

/** The source holds no picture for a segment that its index promised. */
export class SourceEnded extends Error {
  readonly index: number

  constructor(index: number) {
    super(`The source has no picture for segment ${index}`)
    this.name = 'SourceEnded'
    this.index = index
  }
}

/** One run of ffmpeg. Answers the indexes of the segments that are not whole: no frame came, or the first one late. */
async function encodeRun(
  job: EncodeJob,
  rungs: Rung[],
  range: SegmentRange,
  onSegment: OnSegment,
  options: EncodeOptions,
): Promise<number[]> {
  const { source, timeline, path } = job
  const collectors = rungs.map(
    (rung) => new SegmentCollector(timeline, range, options, (index, bytes) => onSegment(rung, index, bytes)),
  )
  const readers = collectors.map(
    (collector) => new FragmentReader((fragment) => collector.add(fragment.samples)),
  )
  await runTool(job.tools.ffmpeg, encodeArgs(source, timeline, path, rungs, range, options), {
    signal: job.signal,
    niceness: job.niceness,
    timeoutMs: timeLimitMs(source, range.to - range.from),
    reads: [path],
    memoryBytes: memoryLimitBytes(source),
    outputs: rungs.length,
    onOutput: (output, chunk) => readers[output]?.push(chunk),
  })
  for (const collector of collectors) collector.end()
  return collectors[0]?.missing ?? []
}

/** Generous for slow machines, but in proportion: large pictures and long ranges may take longer. */
function timeLimitMs({ video }: SourceInfo, segments: number): number {
  const megapixels = (video.codedWidth * video.codedHeight) / 1e6
  return 30_000 + segments * 10_000 * Math.max(1, megapixels)
}

/**
 * A decoder holds a score of pictures; eight threads and three rungs of 1920x1080 allocate 1.5 GB, and 8192x4320 in
 * ten bits makes 3.4 GB of it.
 */
export function memoryLimitBytes({ video }: SourceInfo): number {
  return 2 * 2 ** 30 + video.codedWidth * video.codedHeight * 96
}

/** Sorts the fragments of one output into segments. */
class SegmentCollector {
  readonly missing: number[]
  readonly #timeline: Timeline
  readonly #range: SegmentRange
  readonly #options: EncodeOptions
  readonly #emit: (index: number, bytes: Buffer) => void
  #mayStartLate: boolean
  #current: { index: number; samples: Sample[] } | undefined

  constructor(
    timeline: Timeline,
    range: SegmentRange,
    options: EncodeOptions,
    emit: (index: number, bytes: Buffer) => void,
  ) {
    this.#timeline = timeline
    this.#options = options
    this.#mayStartLate = options.seeksByIndex === true
    this.#range = range
    this.#emit = emit
    this.missing = Array.from({ length: range.to - range.from }, (_, i) => range.from + i)
  }

  add(samples: Sample[]): void {
    const zero = (MUXER_SHIFT_SECONDS + this.#timeline.zeroSeconds) * VIDEO_TIMESCALE
    const placed = samples.map((sample) => ({ ...sample, pts: Math.round(sample.pts - zero) }))
    const first = Math.min(...placed.map((sample) => sample.pts))
    if (!this.#mayStartLate) this.#checkStart(first)
    const index = this.#indexAt(first)
    if (this.#current?.index === index) {
      this.#current.samples.push(...placed)
      return
    }
    this.#flush(first)
    this.#current = { index, samples: placed }
  }

  end(): void {
    this.#flush(Number.POSITIVE_INFINITY)
  }

  #flush(nextPts: number): void {
    const current = this.#current
    this.#current = undefined
    if (!current || current.index < this.#range.from || current.index >= this.#range.to) return
    const { index, samples } = current
    const [start, end] = [this.#startPts(index), this.#startPts(index + 1)]
    const lookAhead = Math.round(this.#options.lookAheadSeconds * VIDEO_TIMESCALE)
    const isFill = this.#options.fillFrameRate !== undefined
    // Beyond what the segment before it has looked ahead, nothing would be shown until this frame.
    const shown = samples.map((sample) => sample.pts)
    if (index > 0 && !isFill && Math.min(...shown) > start + lookAhead) return
    // The presentation starts with its first frame; a frame that fills a gap starts where its segment does.
    if (index === 0 || isFill) showFirstFrom(samples, start)
    const until = nextPts - end > lookAhead || isFill ? end : nextPts
    this.#emit(index, writeSegment(index + 1, samples, Math.max(until, Math.max(...shown) + 1)))
    const at = this.missing.indexOf(index)
    if (at >= 0) this.missing.splice(at, 1)
  }

  #startPts(index: number): number {
    return Math.round(segmentStart(this.#timeline, index) * VIDEO_TIMESCALE)
  }

  #checkStart(pts: number): void {
    this.#mayStartLate = true
    const expected = segmentStart(this.#timeline, this.#range.from)
    const isLate = pts / VIDEO_TIMESCALE > expected + 1.5 * frameSeconds(this.#timeline)
    if (this.#range.from > 0 && isLate) throw new LateStart()
  }

  #indexAt(pts: number): number {
    const { zeroSeconds } = this.#timeline
    for (let index = this.#range.from; index < this.#range.to; index++) {
      const end = cutSeconds(this.#timeline, index + 1)
      if (end === null || pts < Math.round((end - zeroSeconds) * VIDEO_TIMESCALE) - 1) return index
    }
    return this.#range.to
  }
}

function showFirstFrom(samples: Sample[], pts: number): void {
  const first = samples.reduce((a, b) => (b.pts < a.pts ? b : a))
  first.pts = pts
}

/** The init segment of a rung, the same for all its segments whoever makes them. */
export async function encodeInit(job: EncodeJob, rung: Rung): Promise<Buffer> {
  const reader = new FragmentReader(() => undefined)
  await runTool(job.tools.ffmpeg, initArgs(job.source.video, job.timeline, rung), {
    signal: job.signal,
    timeoutMs: 30_000,
    onOutput: (_, chunk) => reader.push(chunk),
  })
  return reader.init
}

/** Encodes a range of an audio track to AAC. Its init segment comes first, as soon as there is any sound: players wait for it. */
export async function encodeAudio(
  job: EncodeJob,
  plan: AudioPlan,
  range: SegmentRange,
  onPart: (part: 'init' | number, bytes: Buffer) => void,
): Promise<void> {
  const { source, timeline, path } = job
  const end = Math.min(range.to, plan.segmentCount)
  // The encoder's own priming comes first, at one frame before the first sample.
  const skipped = AUDIO_LEAD_IN_FRAMES + 1
  let seen = 0
  let samples: Sample[] = []
  let index = range.from
  const finish = () => {
    const endFrame = Math.min((index + 1) * plan.framesPerSegment, plan.frameCount)
    onPart(index, writeSegment(index + 1, samples, endFrame * AAC_FRAME_SAMPLES))
    samples = []
    index += 1
  }
  const reader = new FragmentReader((fragment) => {
    if (seen === 0) onPart('init', reader.init)
    for (const sample of fragment.samples) {
      seen += 1
      if (seen <= skipped || index >= end) continue
      const frame = range.from * plan.framesPerSegment + (seen - skipped - 1)
      samples.push({ pts: frame * AAC_FRAME_SAMPLES, isKey: true, data: Buffer.from(sample.data) })
      const isLast = frame + 1 === plan.frameCount || (frame + 1) % plan.framesPerSegment === 0
      if (isLast) finish()
    }
  })
  await runTool(job.tools.ffmpeg, encodeAudioArgs(source, timeline, path, plan, range), {
    signal: job.signal,
    niceness: job.niceness,
    timeoutMs: 30_000 + (range.to - range.from) * 4000,
    reads: [path],
    onOutput: (_, chunk) => reader.push(chunk),
  })
  if (index < end) throw new Error(`audio ended at segment ${index} of ${end}`)
}
