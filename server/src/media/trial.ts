import { inputArgs, type Container } from './container.ts'
import { flags, FfmpegError, runTool, type MediaTools } from './ffmpeg.ts'
import { segmentStart, type Timeline } from './timeline.ts'
import type { SourceInfo } from './source-info.ts'

/** Decoding the pictures between two keyframes takes far less; what takes longer is not made to be shown. */
const TRIAL_TIMEOUT_MS = 20_000

/** The frame that cannot be decoded begins behind the end, however its time is rounded. */
const END_MARGIN_SECONDS = 0.001

type Trial = { tools: MediaTools; container: Container; path: string; signal?: AbortSignal | undefined }

/** Whether any picture at all can be decoded of a source. Throws FfmpegError when the trial took too long or was killed. */
export async function hasPicture(trial: Trial): Promise<boolean> {
  try {
    return (await lastShown(trial, undefined, 1)) !== undefined
  } catch (error) {
    if (!(error instanceof FfmpegError) || error.timedOut || error.wasKilled) throw error
    return false
  }
}

/**
 * Where the pictures of a source end for good that promises more, in seconds on its own clock: found by halving between
 * the first keyframe and the one before segment `missing`. Undefined where that one can be decoded after all, or
 * where nothing can. Throws FfmpegError where a trial failed: then nothing is known.
 */
export async function findPictureEnd(
  trial: Trial,
  { index: { cutsMicros }, video }: SourceInfo,
  timeline: Timeline,
  missing: number,
): Promise<number | undefined> {
  const cuts = cutsMicros.map((micros) => micros / 1e6)
  const spanAt = (at: number) => ({ from: cuts[at] ?? 0, to: cuts[at + 1] ?? video.endSeconds })
  const missingFrom = timeline.zeroSeconds + segmentStart(timeline, missing)
  let bad = cuts.findLastIndex((cut) => cut <= missingFrom)
  if (bad < 1 || (await lastShown(trial, spanAt(bad), 1)) !== undefined) return undefined
  let good = 0
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if ((await lastShown(trial, spanAt(middle), 1)) === undefined) bad = middle
    else good = middle
  }
  const last = await lastShown(trial, spanAt(good))
  if (last === undefined) return undefined
  const end = Math.min(cuts[bad] ?? video.endSeconds, last + video.frameRate.den / video.frameRate.num)
  return end - END_MARGIN_SECONDS
}

/** When the last of the first `count` pictures of a span is shown that can be decoded; undefined when none can. */
async function lastShown(
  { tools, container, path, signal }: Trial,
  span: { from: number; to: number } | undefined,
  count?: number,
): Promise<number | undefined> {
  let text = ''
  const args = [
    ...flags({ v: 'fatal', max_error_rate: 1 }),
    ...(span
      ? [
          '-noaccurate_seek',
          ...flags({
            seek_timestamp: 1,
            ss: (span.from + 0.0005).toFixed(6),
            t: (span.to - span.from).toFixed(6),
          }),
        ]
      : []),
    '-copyts',
    ...inputArgs(container, path),
    ...flags({ map: '0:V:0', fps_mode: 'passthrough', enc_time_base: '1:1000000' }),
    ...(count === undefined ? [] : flags({ 'frames:v': count })),
    ...flags({ 'c:v': 'wrapped_avframe', f: 'framecrc' }),
    '-',
  ]
  await runTool(tools.ffmpeg, args, {
    signal,
    timeoutMs: TRIAL_TIMEOUT_MS,
    reads: [path],
    onOutput: (_, chunk) => {
      text += chunk.toString('latin1')
    },
  })
  const times = [...text.matchAll(/^0, *-?\d+, *(-?\d+),/gm)].map(([, pts]) => Number(pts) / 1e6)
  return times.length === 0 ? undefined : Math.max(...times)
}
