import { availableParallelism, totalmem } from 'node:os'
import { FairSemaphore } from '@kinora/platform/concurrency/fair-semaphore.ts'
import { runTool, type MediaTools } from '../process/ffmpeg.ts'
import {
  AUDIO_LEAD_IN_FRAMES,
  av1TrialArgs,
  closingSeconds,
  cutTicks,
  encodeArgs,
  encodeAudioArgs,
  initArgs,
  MUXER_SHIFT_SECONDS,
  VIDEO_TIMESCALE,
  type AudioFrames,
  type EncodeOptions,
  type SegmentRange,
} from './ffmpeg-args.ts'
import { type AudioBorder, borderTimeline, type VideoBorder } from '../plan/cut.ts'
import { FragmentReader, withSequenceHeader, writeSegment, type Sample } from '../containers/mp4/fmp4.ts'
import type { Rendition } from '../plan/renditions.ts'
import type { SourceInfo } from '../source/source-info.ts'
import {
  AAC_FRAME_SAMPLES,
  frameSeconds,
  lateFrameSeconds,
  segmentStart,
  type AudioPlan,
  type Timeline,
} from '../plan/timeline.ts'

/** Input of an encode run, apart from its range. */
export type EncodeJob = {
  tools: MediaTools
  source: SourceInfo
  timeline: Timeline
  path: string
  signal?: AbortSignal | undefined
  niceness?: number | undefined
}

/** Called with each segment as soon as it is complete. */
export type OnSegment = (rendition: Rendition, index: number, bytes: Buffer) => void

/** Ways to encode a range, in the order in which they are tried. */
const attempts = [
  /** The demuxer seeks to the range, and finds a keyframe beyond it in some files: `LateFirstFrame`. */
  { seeksByIndex: false, repeatsFrame: false },
  { seeksByIndex: true, repeatsFrame: false },
  /** For segments without a frame of their own. */
  { seeksByIndex: true, repeatsFrame: true },
] as const
const [FIRST_ATTEMPT, BY_INDEX, LAST_ATTEMPT] = [0, 1, attempts.length - 1]

/**
 * Encodes a range of segments for all renditions given, decoding the source once. Throws `SourceExhausted` if it has no
 * frame for them.
 */
export async function encodeSegments(
  job: EncodeJob,
  renditions: Rendition[],
  wholeRange: SegmentRange,
  onSegment: OnSegment,
): Promise<void> {
  const { source, timeline } = job
  const isVariable = source.video.isVariableFrameRate
  // A single rendition may use all cores; several share them.
  const threads = Math.min(availableParallelism(), renditions.length === 1 ? 8 : 2)
  const lookAheadSeconds = lateFrameSeconds(source.video, timeline)
  const first = isVariable ? BY_INDEX : FIRST_ATTEMPT
  const pending = [{ range: wholeRange, attempt: first }]
  for (let next = pending.shift(); next; next = pending.shift()) {
    const { range, attempt } = next
    const options = { threads, lookAheadSeconds, ...attempts[attempt] }
    try {
      const missing = await encodeRun(job, renditions, range, onSegment, options)
      if (attempt === LAST_ATTEMPT && missing[0] !== undefined) throw new SourceExhausted(missing[0])
      const gaps = gapsOf(timeline, missing).map((gap) => {
        // The neighbours of an empty segment are missing too, so one of several may have frames.
        const mayHaveFrames = gap.to - gap.from === 1 && range.to - range.from > 1
        return { range: gap, attempt: mayHaveFrames ? first : LAST_ATTEMPT }
      })
      pending.unshift(...gaps)
    } catch (error) {
      if (!(error instanceof LateFirstFrame)) throw error
      pending.unshift({ range, attempt: attempt + 1 })
    }
  }
}

/** Segments that begin with the frame before them: one by one, and together those after the end of the video. */
function gapsOf(timeline: Timeline, missing: number[]): SegmentRange[] {
  const videoEnd = timeline.videoEndSeconds - timeline.zeroSeconds
  const gaps: SegmentRange[] = []
  for (const index of missing) {
    const gap = gaps.at(-1)
    if (gap?.to === index && segmentStart(timeline, gap.from) >= videoEnd) gap.to += 1
    else gaps.push({ from: index, to: index + 1 })
  }
  return gaps
}

/** The first frame is later than expected: the demuxer has found a keyframe beyond the range. */
class LateFirstFrame extends Error {}

/** The source has no frame for a segment that its index states. */
export class SourceExhausted extends Error {
  readonly index: number

  constructor(index: number) {
    super(`The source has no frame for segment ${index}`)
    this.name = 'SourceExhausted'
    this.index = index
  }
}

/**
 * One run of ffmpeg. Returns the indexes of incomplete segments, which have no frame or a late first one. In a run of
 * several segments the neighbours of an empty segment are incomplete too: see `SegmentCollector`.
 */
async function encodeRun(
  job: EncodeJob,
  renditions: Rendition[],
  range: SegmentRange,
  onSegment: OnSegment,
  options: EncodeOptions,
): Promise<number[]> {
  const { source, timeline, path } = job
  const collectors = renditions.map(
    (rendition) =>
      new SegmentCollector(source, timeline, range, options, (index, bytes) =>
        onSegment(rendition, index, bytes),
      ),
  )
  const readers = collectors.map(
    (collector) => new FragmentReader((fragment) => collector.add(fragment.samples)),
  )
  const release = await encoderMemory.acquire(path, encodeMemoryBytes(source, renditions), job.signal)
  try {
    await runTool(job.tools.ffmpeg, encodeArgs(source, timeline, path, renditions, range, options), {
      signal: job.signal,
      niceness: job.niceness,
      timeoutMs: timeLimitMs(source, range.to - range.from, renditions),
      reads: [path],
      memoryBytes: memoryLimitBytes(source),
      outputs: renditions.length,
      onOutput: (output, chunk) => readers[output]?.push(chunk),
    })
  } finally {
    release()
  }
  for (const collector of collectors) collector.end()
  return collectors[0]?.missing ?? []
}

/** Half of the memory is for all encoders of this process. One that needs more runs alone. */
const encoderMemory = new FairSemaphore({ total: totalmem() / 2, perKey: totalmem() / 2 })

/** Frames that a decoder and an encoder buffer. */
const BUFFERED_FRAMES = { decoder: 16, h264: 40, av1: 110 }
const PROGRAM_BYTES = 128 * 1024 ** 2

/** Estimated memory of one run in bytes: 5.6 GB were measured for 8192x8192 in ten bits without subsampling. */
export function encodeMemoryBytes(
  { video }: SourceInfo,
  renditions: Pick<Rendition, 'width' | 'height' | 'codec'>[],
): number {
  const samples = /444|gbr|rgb/.test(video.pixelFormat) ? 3 : video.pixelFormat.includes('422') ? 2 : 1.5
  const pixelBytes = samples * (video.bitDepth > 8 ? 2 : 1)
  const decoded = video.codedWidth * video.codedHeight * pixelBytes * BUFFERED_FRAMES.decoder
  const encoded = renditions.map(({ width, height, codec }) => width * height * 1.5 * BUFFERED_FRAMES[codec])
  return PROGRAM_BYTES + encoded.reduce((sum, bytes) => sum + bytes, decoded)
}

/**
 * Generous for slow machines, and proportional to resolution and length. An encoder of AV1 that is short of memory, or
 * gets no frame at all, waits forever instead of failing.
 */
function timeLimitMs({ video }: SourceInfo, segments: number, [rendition]: Rendition[]): number {
  const megapixels = (video.codedWidth * video.codedHeight) / 1e6
  const secondsPerSegment = rendition?.codec === 'av1' ? 30 : 10
  return 30_000 + segments * secondsPerSegment * 1000 * Math.max(1, megapixels)
}

/**
 * Address space limit of one run. A decoder buffers about 20 frames; eight threads and three renditions of 1920x1080
 * allocate 1.5 GB, as does one AV1 rendition of that size, and 8192x4320 in ten bits makes 3.4 GB of it.
 */
export function memoryLimitBytes({ video }: SourceInfo): number {
  return 2 * 2 ** 30 + video.codedWidth * video.codedHeight * 96
}

/**
 * Sorts the fragments of one output into segments. A segment before an empty one is dropped: its last frame is shown so
 * long that the encoder may starve it. The one after is dropped too: its first frames are all keyframes, one for each
 * empty segment.
 */
class SegmentCollector {
  readonly missing: number[]
  readonly #timeline: Timeline
  readonly #range: SegmentRange
  readonly #options: EncodeOptions
  readonly #closingSeconds: number | null
  readonly #emit: (index: number, bytes: Buffer) => void
  #mayStartLate: boolean
  /** The repeated frame at the start of a range. */
  #repeated: Sample | undefined
  #current: { index: number; samples: Sample[]; isBesideGap: boolean } | undefined

  constructor(
    source: SourceInfo,
    timeline: Timeline,
    range: SegmentRange,
    options: EncodeOptions,
    emit: (index: number, bytes: Buffer) => void,
  ) {
    this.#timeline = timeline
    this.#options = options
    this.#closingSeconds = closingSeconds(source.video, timeline, range, options)
    this.#mayStartLate = options.seeksByIndex === true
    this.#range = range
    this.#emit = emit
    this.missing = Array.from({ length: range.to - range.from }, (_, i) => range.from + i)
  }

  add(samples: Sample[]): void {
    const shift = MUXER_SHIFT_SECONDS * VIDEO_TIMESCALE
    const zero = this.#timeline.zeroSeconds * VIDEO_TIMESCALE
    const placed = samples.map((sample) => ({ ...sample, pts: Math.round(sample.pts - shift - zero) }))
    const first = Math.min(...placed.map((sample) => sample.pts))
    if (this.#options.repeatsFrame) this.#repeated ??= placed[0]
    if (!this.#mayStartLate) this.#checkStart(first)
    const index = this.#indexAt(Math.min(...samples.map((sample) => sample.pts)) - shift)
    if (this.#current?.index === index) {
      this.#current.samples.push(...placed)
      return
    }
    const isAfterGap = index > (this.#current?.index ?? this.#range.from - 1) + 1
    if (this.#current && isAfterGap) this.#current.isBesideGap = true
    this.#flush(first)
    this.#current = { index, samples: placed, isBesideGap: isAfterGap }
  }

  end(): void {
    this.#flush(Number.POSITIVE_INFINITY)
    if (this.#repeated && this.missing[0] !== this.#range.from) this.#repeatAtStart(this.#repeated)
  }

  /** The rest of a range that begins with a repeated frame repeats it. */
  #repeatAtStart(sample: Sample): void {
    for (const index of this.missing.splice(0)) {
      const [start, end] = [this.#startPts(index), this.#startPts(index + 1)]
      this.#emit(index, writeSegment(index + 1, [{ ...sample, pts: start }], end))
    }
  }

  #flush(nextPts: number): void {
    const current = this.#current
    this.#current = undefined
    if (!current || current.index < this.#range.from || current.index >= this.#range.to) return
    const { index, samples, isBesideGap } = current
    if (isBesideGap && !this.#options.repeatsFrame && this.#range.to - this.#range.from > 1) return
    const [start, end] = [this.#startPts(index), this.#startPts(index + 1)]
    const lookAhead = Math.round(this.#options.lookAheadSeconds * VIDEO_TIMESCALE)
    // Beyond the look-ahead of the previous segment, nothing would be shown until this frame.
    const shown = samples.map((sample) => sample.pts)
    if (index > 0 && Math.min(...shown) > start + lookAhead) return
    // The presentation starts with its first frame.
    const { border } = this.#timeline
    if (index === 0 || border?.startsRange) showFirstFrom(samples, start)
    const until = border?.endsRange || nextPts - end > lookAhead ? end : nextPts
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
    if (this.#range.from > 0 && isLate) throw new LateFirstFrame()
  }

  /** `ticks` are on the container's clock, as in the filters passed to ffmpeg. */
  #indexAt(ticks: number): number {
    const closing = this.#closingSeconds
    if (closing !== null && ticks >= Math.round(closing * VIDEO_TIMESCALE)) return this.#range.to
    for (let index = this.#range.from; index < this.#range.to; index++) {
      const end = cutTicks(this.#timeline, index + 1)
      if (end === null || ticks < end) return index
    }
    return this.#range.to
  }
}

function showFirstFrom(samples: Sample[], pts: number): void {
  const first = samples.reduce((a, b) => (b.pts < a.pts ? b : a))
  first.pts = pts
}

const trials = new Map<string, Promise<boolean>>()

/** Whether this ffmpeg encodes AV1 in the sandbox. Tested until it does: a busy machine may fail the test once. */
export function encodesAv1({ ffmpeg }: Pick<MediaTools, 'ffmpeg'>): Promise<boolean> {
  const trial =
    trials.get(ffmpeg) ??
    runTool(ffmpeg, av1TrialArgs(), { timeoutMs: 30_000 }).then(
      () => true,
      () => {
        trials.delete(ffmpeg)
        return false
      },
    )
  trials.set(ffmpeg, trial)
  return trial
}

/** The init segment of a rendition, identical for every run. */
export async function encodeInit(job: EncodeJob, rendition: Rendition): Promise<Buffer> {
  let first: Sample | undefined
  const reader = new FragmentReader(({ samples }) => (first ??= samples[0]))
  await runTool(job.tools.ffmpeg, initArgs(job.source.video, job.timeline, rendition), {
    signal: job.signal,
    timeoutMs: 30_000,
    onOutput: (_, chunk) => reader.push(chunk),
  })
  if (rendition.codec !== 'av1') return reader.init
  if (!first) throw new Error('no AV1 frame for the init segment')
  return withSequenceHeader(reader.init, first.data)
}

/**
 * Encodes a range of an audio track to AAC. Emits the init segment as soon as there is any audio: players wait for it.
 */
export async function encodeAudio(
  job: EncodeJob,
  plan: AudioPlan,
  range: SegmentRange,
  onPart: (part: 'init' | number, bytes: Buffer) => void,
): Promise<void> {
  const end = Math.min(range.to, plan.segmentCount)
  const frames = {
    fromFrame: range.from * plan.framesPerSegment,
    toFrame: Math.min(end * plan.framesPerSegment, plan.frameCount),
    audibleFrom: null,
    audibleTo: null,
  }
  let samples: Sample[] = []
  let index = range.from
  const onInit = (init: Buffer) => onPart('init', init)
  await encodeFrames(job, plan, frames, onInit, (sample, frame) => {
    samples.push(sample)
    if (frame + 1 !== frames.toFrame && (frame + 1) % plan.framesPerSegment !== 0) return
    onPart(index, writeSegment(index + 1, samples, (frame + 1) * AAC_FRAME_SAMPLES))
    samples = []
    index += 1
  })
  if (index < end) throw new AudioExhausted(index, end)
}

/** Encodes the frames of an audio track at the border of a range that viewers see. */
export async function encodeAudioBorder(
  job: EncodeJob,
  plan: AudioPlan,
  border: AudioBorder,
): Promise<Buffer> {
  const samples: Sample[] = []
  await encodeFrames(
    job,
    plan,
    border,
    () => undefined,
    (sample) => samples.push(sample),
  )
  const count = border.toFrame - border.fromFrame
  if (samples.length < count) throw new AudioExhausted(samples.length, count)
  return writeSegment(1, samples, border.toFrame * AAC_FRAME_SAMPLES)
}

/** Encodes frames of an audio track, and emits each with its number. */
async function encodeFrames(
  { tools, source, timeline, path, signal, niceness }: EncodeJob,
  plan: AudioPlan,
  frames: AudioFrames,
  onInit: (init: Buffer) => void,
  onFrame: (sample: Sample, frame: number) => void,
): Promise<void> {
  // The encoder's own priming precedes the first sample by one frame.
  const skipped = AUDIO_LEAD_IN_FRAMES + 1
  let seen = 0
  const reader = new FragmentReader((fragment) => {
    if (seen === 0) onInit(reader.init)
    for (const { data } of fragment.samples) {
      seen += 1
      const frame = frames.fromFrame + (seen - skipped - 1)
      if (seen <= skipped || frame >= frames.toFrame) continue
      onFrame({ pts: frame * AAC_FRAME_SAMPLES, isKey: true, data: Buffer.from(data) }, frame)
    }
  })
  const segments = Math.ceil((frames.toFrame - frames.fromFrame) / plan.framesPerSegment)
  await runTool(tools.ffmpeg, encodeAudioArgs(source, timeline, path, plan, frames), {
    signal,
    niceness,
    timeoutMs: 30_000 + segments * 4000,
    reads: [path],
    onOutput: (_, chunk) => reader.push(chunk),
  })
}

/** Encodes the frames of a video at the border of a range that viewers see, for each rendition. */
export async function encodeVideoBorder(
  job: EncodeJob,
  renditions: Rendition[],
  border: VideoBorder,
  onSegment: (rendition: Rendition, bytes: Buffer) => void,
): Promise<void> {
  const { timeline, index } = borderTimeline(job.timeline, border)
  const range = { from: index, to: index + 1 }
  await encodeSegments({ ...job, timeline }, renditions, range, (rendition, _, bytes) =>
    onSegment(rendition, bytes),
  ).catch((error: unknown) => {
    if (!(error instanceof SourceExhausted)) throw error
    const { videoStartSeconds, zeroSeconds, framesPerSegment } = job.timeline
    const seconds = border.fromSeconds - (videoStartSeconds - zeroSeconds)
    const segment = Math.floor(seconds / (framesPerSegment * frameSeconds(job.timeline)))
    throw new SourceExhausted(Math.max(0, segment))
  })
}

/** The source has no audio for a segment that its index states. */
export class AudioExhausted extends Error {
  constructor(index: number, end: number) {
    super(`Audio ended at segment ${index} of ${end}`)
    this.name = 'AudioExhausted'
  }
}
