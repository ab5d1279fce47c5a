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
  /** Another video begins behind so many bytes, which is not played. */
  wholeBytes?: number | undefined
  /** `statedSize`: width and height as the container has them; nobody has compared them with the pictures. */
  video: {
    codecString: string | null
    statedSize: [width: number, height: number] | null
    startSeconds: number
    endSeconds: number
  }
  audio: { codecString: string | null; startSeconds: number; endSeconds: number | null }[]
}

/** The index names more than any file of this size holds. */
export class ImplausibleIndex extends Error {
  override readonly name = 'ImplausibleIndex'
}

/** A hundred hours of nothing but keyframes, ten a second: more is an index made to fill the memory. */
export const MAX_KEYFRAMES = 3_600_000
export const TOO_MANY_KEYFRAMES = 'more keyframes than any film has'

/** One coded frame, as an index knows it. Times are seconds on the container's own clock. */
export type Frame = { timestamp: number; duration: number; size: number; isKey: boolean }

/** Keyframe times are looked up a little after they are, so that rounding never finds the one before. */
export const LOOKUP_SLACK_SECONDS = 0.0005

/** The first frames of a video tell its frame rate and, with others here and there, its densest bit rate. */
export const SAMPLED_FRAMES = 3000
/** Other runs of segments than those inspected may be denser; far more so where most was not inspected. */
const PEAK_MARGIN = { seen: 1.05, unseen: 1.2 }

/** How many frames may be shown later than one that follows them in the file. */
export const MAX_REORDERED_FRAMES = 16

/** Whether a keyframe is far enough behind the last cut to be the next. */
export function isNextCut(key: number, last: number | undefined, seconds = SEGMENT_SECONDS): boolean {
  return last === undefined || key - last >= seconds - 0.001
}

/** Share of the largest segment to aim at, because keyframes are seldom where a cut is wanted. */
const AIMED_PART = 0.5

/** Shortest distance of cuts. A video too dense for this gets no passthrough rendition. */
const MIN_CUT_SECONDS = 0.5

/** How far apart to cut: dense bits more often, so that a segment of them is not too large to be sent as it is. */
function cutSecondsFor(bitrate: number): number {
  const seconds = (AIMED_PART * MAX_COPIED_SEGMENT_BYTES * 8) / bitrate
  return Math.min(SEGMENT_SECONDS, Math.max(MIN_CUT_SECONDS, seconds))
}

/** Thins keyframe times to cuts and learns rates from the sampled frames. Pure. */
export function summarise(
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
    Math.ceil(Math.max(...[frames, ...spots].map((run) => peakBitrate(run, seconds))) * margin)
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

/** Bits per second over the densest run of frames from one cut to the next. */
function peakBitrate(frames: Frame[], cutSeconds: number): number {
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

/** When frames are shown, in order. */
const timesOf = (frames: Frame[]) => frames.map(({ timestamp }) => timestamp).toSorted((a, b) => a - b)

/** The same of frames that others follow in the file, without those between which some of these are shown. */
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
  // Gaps bring the average down; what matters is how fast frames come where they come.
  const most = Math.max(...runs.map((times) => mostInASecond(times, median / 2)))
  const isRepeated = steps.some((step) => step > LATE_FRAME_SECONDS)
  const mostShown = isRepeated ? Math.max(most, Math.min(most + 1, MAX_FRAME_RATE)) : most
  return { framesPerSecond: Math.max(mostShown, 1 / Math.max(median, 0.001)), isVariableFrameRate }
}

/** How many frames begin within a second, at most, where they come that much too early or too late. */
function mostInASecond(times: number[], unevenSeconds: number): number {
  const second = 1 - Math.min(unevenSeconds, 0.02)
  let [most, from] = [0, 0]
  for (const [at, time] of times.entries()) {
    while (time - (times[from] ?? time) >= second) from += 1
    most = Math.max(most, at - from + 1)
  }
  return most
}
