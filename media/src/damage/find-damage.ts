import { inputArgs, type SourceFile } from '../source/container.ts'
import { flags, FfmpegError, readTool, type MediaTools } from '../process/ffmpeg.ts'
import { lateFrameSeconds, segmentStart, type Timeline } from '../plan/timeline.ts'
import type { SourceInfo } from '../source/source-info.ts'
import { LOOKUP_SLACK_SECONDS } from '../plan/stream-index.ts'

/** Decoding the frames between two keyframes takes far less. */
const DECODE_TIMEOUT_MS = 20_000
/** A line for each frame: far more than two keyframes enclose. */
const MAX_OUTPUT_BYTES = 2 ** 24

/** Subtracted from the end of a frame, so that rounding never moves it past the start of the damaged one. */
const END_MARGIN_SECONDS = 0.001

/** If nothing can be decoded, the file is read to its end. */
const READ_BYTES_PER_MS = 100_000

type DecodeRequest = { tools: MediaTools; file: SourceFile; path: string; signal?: AbortSignal | undefined }

/**
 * Time of the first frame that can be decoded, on the clock of the source; undefined if there is none. Throws
 * `FfmpegError` if decoding timed out or was killed.
 */
export async function findFirstFrameTime(request: DecodeRequest): Promise<number | undefined> {
  try {
    return (await listFrameTimes(request, { frames: 1 }))[0]
  } catch (error) {
    if (!(error instanceof FfmpegError) || error.isHostFailure) throw error
    return undefined
  }
}

/** Range on the clock of the source without frames that can be decoded; null if no frame follows. */
export type Damage = { fromSeconds: number; toSeconds: number | null }

/**
 * Finds the damage of a source that has no frame for `missingSegment`, by binary search over keyframes. Undefined if
 * the segment can be decoded after all, or if nothing can. Throws `FfmpegError` if decoding failed for another reason.
 */
export async function findDamage(
  request: DecodeRequest,
  { index: { cutsMicros }, sizeBytes, video }: SourceInfo,
  timeline: Timeline,
  missingSegment: number,
): Promise<Damage | undefined> {
  const cuts = cutsMicros.map((micros) => micros / 1e6)
  const timeoutMs = DECODE_TIMEOUT_MS + sizeBytes / READ_BYTES_PER_MS
  const findTimeAfter = async (at: number) =>
    (await listFrameTimes(request, { from: cuts[at] ?? 0, frames: 1, timeoutMs }))[0]
  const endOf = (at: number) => cuts[at + 1] ?? video.endSeconds
  const startOf = (segment: number) => timeline.zeroSeconds + segmentStart(timeline, segment)

  let bad = cuts.findLastIndex((cut) => cut <= startOf(missingSegment))
  if (bad < 0) return undefined
  let resumesAt = await findTimeAfter(bad)
  let good = 0
  if (resumesAt !== undefined && resumesAt < startOf(missingSegment)) {
    // the damage may begin after that keyframe; a frame that follows ends the gap
    if (bad + 1 < cuts.length && (await findTimeAfter(bad + 1)) !== undefined) return undefined
    good = bad
    resumesAt = undefined
  } else if (
    bad === 0 ||
    (resumesAt !== undefined && resumesAt < startOf(missingSegment) + lateFrameSeconds(video, timeline))
  )
    return undefined
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (((await findTimeAfter(middle)) ?? Number.POSITIVE_INFINITY) < endOf(middle)) good = middle
    else bad = middle
  }
  const from = cuts[good] ?? 0
  const last = (await listFrameTimes(request, { from, seconds: endOf(good) - from, timeoutMs })).at(-1)
  if (last === undefined || last >= startOf(missingSegment)) return undefined
  const end = Math.min(endOf(good), last + video.frameRate.den / video.frameRate.num)
  return { fromSeconds: end - END_MARGIN_SECONDS, toSeconds: resumesAt ?? null }
}

type TimeRange = {
  /** A keyframe; the beginning of the file if undefined. */
  from?: number
  /** Counted from the first frame that can be decoded, which may be much later. */
  seconds?: number
  frames?: number
  timeoutMs?: number
}

/** Times of the frames of a range that can be decoded, in order. */
async function listFrameTimes(
  { tools, file, path, signal }: DecodeRequest,
  { from, seconds, frames, timeoutMs = DECODE_TIMEOUT_MS }: TimeRange,
): Promise<number[]> {
  const args = [
    ...flags({ v: 'fatal', max_error_rate: 1 }),
    ...(from === undefined
      ? []
      : ['-noaccurate_seek', ...flags({ seek_timestamp: 1, ss: (from + LOOKUP_SLACK_SECONDS).toFixed(6) })]),
    ...(seconds === undefined ? [] : flags({ t: seconds.toFixed(6) })),
    '-copyts',
    ...inputArgs(file, path),
    ...flags({ map: '0:V:0', fps_mode: 'passthrough', enc_time_base: '1:1000000' }),
    ...(frames === undefined ? [] : flags({ 'frames:v': frames })),
    ...flags({ 'c:v': 'wrapped_avframe', f: 'framecrc' }),
    '-',
  ]
  const output = await readTool(tools.ffmpeg, args, {
    signal,
    timeoutMs,
    reads: [path],
    maxBytes: MAX_OUTPUT_BYTES,
  })
  const text = output.toString('latin1')
  return [...text.matchAll(/^0, *-?\d+, *(-?\d+),/gm)]
    .map(([, pts]) => Number(pts) / 1e6)
    .toSorted((a, b) => a - b)
}
