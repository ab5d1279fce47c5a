import { LATE_FRAME_SECONDS, MAX_COPIED_SEGMENT_BYTES, MAX_FRAME_RATE, SEGMENT_SECONDS } from './timeline.ts'

/** Result of reading a file's index. Times are seconds on the container's own clock. */
export type StreamIndex = {
  cutsMicros: number[]
  longestGapSeconds: number
  peakBitrate: number
  framesPerSecond: number
  isVariableFrameRate: boolean
  /** The file is shorter than its index says. */
  isBrokenOff: boolean
  /** Another video, which is not played, begins after this many bytes. */
  wholeBytes?: number | undefined
  /** `statedSize`: width and height stated by the container. Not verified against the frames. */
  video: {
    codecString: string | null
    statedSize: [width: number, height: number] | null
    startSeconds: number
    endSeconds: number
  }
  audio: { codecString: string | null; startSeconds: number; endSeconds: number | null }[]
}

/** The index states more frames than any file of this size contains. */
export class ImplausibleIndex extends Error {
  override readonly name = 'ImplausibleIndex'
}

/** A hundred hours of only keyframes, ten a second. A larger index is made to exhaust memory. */
export const MAX_KEYFRAMES = 3_600_000
export const TOO_MANY_KEYFRAMES = 'more keyframes than any video has'

/** One coded frame of the index. Times are seconds on the container's own clock. */
export type Frame = { timestamp: number; duration: number; size: number; isKey: boolean }

/** Keyframes are looked up at a slightly later time, so that rounding never finds the previous one. */
export const LOOKUP_SLACK_SECONDS = 0.0005

/** The first frames of a video determine its frame rate and, with spot checks, its peak bitrate. */
export const SAMPLED_FRAMES = 3000
/** Segments that were not inspected may have a higher bitrate; the more so if most were not inspected. */
const PEAK_MARGIN = { seen: 1.05, unseen: 1.2 }

/** Maximum number of frames that may be presented later than one that follows them in the file. */
export const MAX_REORDERED_FRAMES = 16

/** Whether a keyframe is far enough from the last cut to be the next. */
export function isNextCut(key: number, last: number | undefined, seconds = SEGMENT_SECONDS): boolean {
  return last === undefined || key - last >= seconds - 0.001
}

/** Fraction of the maximum segment size to aim at, because keyframes are seldom at the wanted time. */
const AIMED_PART = 0.5

/** Minimum distance of cuts. A video too dense for this gets no passthrough rendition. */
const MIN_CUT_SECONDS = 0.5

/** Distance of cuts. High bitrates are cut more often, which limits the size of a segment. */
function cutSecondsFor(bitrate: number): number {
  const seconds = (AIMED_PART * MAX_COPIED_SEGMENT_BYTES * 8) / bitrate
  return Math.min(SEGMENT_SECONDS, Math.max(MIN_CUT_SECONDS, seconds))
}

/** Thins keyframe times to cuts and computes rates from the sampled frames. */
export function summarize(
  keys: number[],
  frames: Frame[],
  endSeconds: number,
  spots: Frame[][] = [],
): Pick<
  StreamIndex,
  'cutsMicros' | 'longestGapSeconds' | 'peakBitrate' | 'framesPerSecond' | 'isVariableFrameRate'
> {
  const margin = PEAK_MARGIN[frames.length < SAMPLED_FRAMES ? 'seen' : 'unseen']
  const peakOf = (seconds: number) =>
    Math.ceil(Math.max(...[frames, ...spots].map((run) => densestBitrate(run, seconds))) * margin)
  const cutSeconds = cutSecondsFor(peakOf(SEGMENT_SECONDS))
  const cuts: number[] = []
  for (const key of keys) if (isNextCut(key, cuts.at(-1), cutSeconds)) cuts.push(key)
  let longestGapSeconds = 0
  cuts.forEach((cut, i) => {
    longestGapSeconds = Math.max(longestGapSeconds, (cuts[i + 1] ?? endSeconds) - cut)
  })
  return {
    cutsMicros: cuts.map((cut) => Math.round(cut * 1e6)),
    longestGapSeconds,
    peakBitrate: peakOf(cutSeconds),
    ...frameRate(frames, spots),
  }
}

/** Bits per second of the densest run of frames from one cut to the next. */
function densestBitrate(frames: Frame[], cutSeconds: number): number {
  let peak = 0
  let from = frames[0]?.timestamp ?? 0
  let bytes = 0
  for (const [at, frame] of frames.entries()) {
    const isClosed = (frames[at + 1] ?? frame).timestamp >= frame.timestamp
    if (frame.isKey && isClosed && isNextCut(frame.timestamp, from, cutSeconds)) {
      peak = Math.max(peak, (bytes * 8) / (frame.timestamp - from))
      from = frame.timestamp
      bytes = 0
    }
    bytes += frame.size
  }
  const last = frames.at(-1)
  const rest = last ? last.timestamp + last.duration - from : 0
  if (rest >= cutSeconds / 2) peak = Math.max(peak, (bytes * 8) / rest)
  return peak
}

/** Presentation times in order. */
const timesOf = (frames: Frame[]) => frames.map(({ timestamp }) => timestamp).toSorted((a, b) => a - b)

/** Presentation times without the last ones, between which later frames of the file may be presented. */
const wholeTimesOf = (frames: Frame[]) => timesOf(frames).slice(0, -MAX_REORDERED_FRAMES)

function frameRate(
  frames: Frame[],
  spots: Frame[][],
): { framesPerSecond: number; isVariableFrameRate: boolean } {
  const isAll = frames.length < SAMPLED_FRAMES
  const runs = isAll ? [timesOf(frames)] : [frames, ...spots].map(wholeTimesOf)
  const steps = runs.flatMap((times) => times.slice(1).map((time, i) => time - (times[i] ?? 0)))
  if (steps.length === 0) {
    const only = frames[0]?.duration ?? 0
    return { framesPerSecond: only > 0 ? 1 / only : 25, isVariableFrameRate: false }
  }
  const span = steps.reduce((sum, step) => sum + step, 0)
  const median = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0.04
  // WebM rounds times to milliseconds: that much unevenness is no variable rate.
  const tolerance = Math.max(median * 0.25, 0.0021)
  const isVariableFrameRate = steps.some((step) => Math.abs(step - median) > tolerance)
  const average = span > 0 ? steps.length / span : 25
  if (!isVariableFrameRate) return { framesPerSecond: average, isVariableFrameRate }
  // Gaps lower the average; the rate within runs matters.
  const most = Math.max(...runs.map((times) => mostInASecond(times, median / 2)))
  const isRepeated = steps.some((step) => step > LATE_FRAME_SECONDS)
  const mostShown = isRepeated ? Math.max(most, Math.min(most + 1, MAX_FRAME_RATE)) : most
  return { framesPerSecond: Math.max(mostShown, 1 / Math.max(median, 0.001)), isVariableFrameRate }
}

/** Maximum number of frames that begin within a second, counting frames of uneven times. */
function mostInASecond(times: number[], unevenSeconds: number): number {
  const second = 1 - Math.min(unevenSeconds, 0.02)
  let [most, from] = [0, 0]
  for (const [at, time] of times.entries()) {
    while (time - (times[from] ?? time) >= second) from += 1
    most = Math.max(most, at - from + 1)
  }
  return most
}
