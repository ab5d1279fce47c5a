import { inputArgs } from '../source/container.ts'
import { type EncodeJob, memoryLimitBytes } from './encode.ts'
import { formatTimestamp } from './webvtt.ts'
import { scaleToFit, toneMap } from './ffmpeg-args.ts'
import { flags, outputUrl, runTool } from '../process/ffmpeg.ts'
import { SourceRemuxer } from '../remux/remux.ts'
import { bytesOfFile } from '../source/source-bytes.ts'
import { isKept, toSourceTime } from '@kinora/contract/videos/cut-times.ts'
import type { KeptRange } from '../plan/cut.ts'
import type { Timeline } from '../plan/timeline.ts'
import type { Gap, SourceInfo, VideoInfo } from '../source/source-info.ts'

/** Thumbnails of a video for the seek bar, tiled into sprite sheets. */
export interface Storyboard {
  intervalSeconds: number
  count: number
  /** Of one thumbnail, in pixels. */
  width: number
  height: number
  columns: number
  rows: number
  sheetCount: number
}

/** Shorter side of a thumbnail in pixels: sharp on a card. It has twice the bytes of 90 pixels; decoding takes the same time. */
const shortSide = 144
const columns = 5
const rows = 5
const shortestInterval = 2
const maxThumbnails = 200

/** Plans the storyboard of a source: a thumbnail every few seconds, at most 200 for a long video. */
export function planStoryboard(
  { displayWidth, displayHeight }: VideoInfo,
  durationSeconds: number,
): Storyboard {
  const intervalSeconds = Math.max(shortestInterval, Math.ceil(durationSeconds / maxThumbnails))
  const count = Math.max(1, Math.ceil(durationSeconds / intervalSeconds))
  const scale = shortSide / Math.min(displayWidth, displayHeight)
  // An extreme aspect ratio would make sheets of enormous size.
  const toEvenSize = (pixels: number) => Math.min(400, Math.max(2, Math.round(pixels / 2) * 2))
  return {
    intervalSeconds,
    count,
    width: toEvenSize(displayWidth * scale),
    height: toEvenSize(displayHeight * scale),
    columns,
    rows,
    sheetCount: Math.ceil(count / (columns * rows)),
  }
}

/** The storyboard as WebVTT: each cue addresses a region of a sheet. `uri` names a sheet. */
export function toStoryboardVtt(
  storyboard: Storyboard,
  durationSeconds: number,
  uri: (sheet: number) => string,
): string {
  const { intervalSeconds, count, width, height } = storyboard
  const cues = Array.from({ length: count }, (_, index) => {
    const place = index % (columns * rows)
    const [x, y] = [(place % columns) * width, Math.floor(place / columns) * height]
    const from = formatTimestamp(index * intervalSeconds)
    const to = formatTimestamp(Math.min((index + 1) * intervalSeconds, durationSeconds))
    return `${from} --> ${to}\n${uri(Math.floor(index / (columns * rows)))}#xywh=${x},${y},${width},${height}\n`
  })
  return `WEBVTT\n\n${cues.join('\n')}`
}

/**
 * Builds the sheets of a storyboard from keyframes alone: only their bytes are read and decoded. If this process cannot
 * read the container, ffmpeg reads the whole file, but still decodes only keyframes.
 */
export async function buildStoryboard(
  job: EncodeJob,
  storyboard: Storyboard,
  keep: readonly KeptRange[] | null = null,
): Promise<Buffer[]> {
  const { source, timeline, path, tools } = job
  const readsKeyframes = source.video.codecString !== null && !source.video.isTransformed
  const bytes = await bytesOfFile(path, source.wholeBytes)
  const remuxer = readsKeyframes ? new SourceRemuxer(bytes, timeline) : undefined
  const times = thumbnailTimes(source, timeline, storyboard, keep).map((time) => {
    const gap = source.videoGaps?.find((each) => isWithin(each, time + timeline.zeroSeconds))
    // the frame on display during the gap, since those inside cannot be decoded
    return gap ? gap.fromSeconds - timeline.zeroSeconds : time
  })
  const chunks: Buffer[] = []
  try {
    await runTool(tools.ffmpeg, storyboardArgs(job, storyboard, readsKeyframes, keep), {
      signal: job.signal,
      niceness: job.niceness,
      timeoutMs: 120_000 + source.sizeBytes / 20_000,
      reads: remuxer ? [] : [path],
      memoryBytes: memoryLimitBytes(source),
      ...(remuxer ? { input: remuxer.keyframesAt(times) } : {}),
      onOutput: (_, chunk) => chunks.push(chunk),
    })
  } finally {
    remuxer?.close()
  }
  const sheets = splitJpegs(Buffer.concat(chunks)).slice(0, storyboard.sheetCount)
  const last = sheets.at(-1)
  if (!last) throw new Error('the source has no keyframe that can be shown')
  // Keyframes that cannot be decoded are missing: the last sheet is repeated in their place.
  while (sheets.length < storyboard.sheetCount) sheets.push(last)
  return sheets
}

/**
 * Presentation times of the thumbnails. Those of a cut video are in ranges that viewers see, as are the keyframes at or before
 * them. Empty if no keyframe is.
 */
function thumbnailTimes(
  { index }: Pick<SourceInfo, 'index'>,
  { zeroSeconds }: Timeline,
  { count, intervalSeconds }: Storyboard,
  keep: readonly KeptRange[] | null,
): number[] {
  const times = Array.from({ length: count }, (_, place) => place * intervalSeconds)
  if (!keep) return times
  const keys = index.cutsMicros.map((micros) => micros / 1e6 - zeroSeconds).filter((key) => isKept(keep, key))
  return times.flatMap((time) => {
    const seconds = toSourceTime(keep, time)
    const start = keep.findLast(({ startSeconds }) => startSeconds <= seconds)?.startSeconds ?? 0
    if (keys.some((key) => key >= start && key <= seconds)) return [seconds]
    const next = keys.find((key) => key > seconds) ?? keys.at(-1)
    return next === undefined ? [] : [next]
  })
}

/** Whether a cut video has thumbnails: keyframes that viewers see. */
export const hasThumbnails = (source: SourceInfo, timeline: Timeline, keep: readonly KeptRange[]): boolean =>
  thumbnailTimes(source, timeline, { ...planStoryboard(source.video, 1), count: 1 }, keep).length > 0

const isWithin = ({ fromSeconds, toSeconds }: Gap, seconds: number) =>
  seconds >= fromSeconds && seconds < toSeconds

function storyboardArgs(
  { source, path, timeline }: EncodeJob,
  storyboard: Storyboard,
  readsKeyframes: boolean,
  keep: readonly KeptRange[] | null,
): string[] {
  const { intervalSeconds } = storyboard
  const rotationFilters: Record<number, string[]> = {
    90: ['transpose=clock'],
    180: ['hflip', 'vflip'],
    270: ['transpose=cclock'],
  }
  // The last keyframe stays on display to the end.
  const holdSeconds = (source.index.longestGapSeconds + intervalSeconds).toFixed(3)
  const everyInterval = [
    ...(keep ? keptFilters(keep, timeline) : []),
    `tpad=stop_mode=clone:stop_duration=${holdSeconds}`,
    `fps=1/${intervalSeconds}${keep ? ':start_time=0' : ''}`,
  ]
  const filters = [
    ...(readsKeyframes ? (rotationFilters[source.video.rotation] ?? []) : everyInterval),
    ...(source.video.isHdr ? toneMap(source.video, storyboard) : []),
    // JFIF uses this matrix and range
    scaleToFit(source.video, storyboard, 'flags=area:out_color_matrix=bt601:out_range=full'),
    'setsar=1',
    'format=yuvj420p',
    `tile=${columns}x${rows}`,
  ]
  const input = readsKeyframes
    ? ['-f', 'mov', '-i', 'pipe:0']
    : ['-skip_frame', 'nokey', ...(keep ? ['-copyts'] : []), ...inputArgs(source, path)]
  return [
    ...flags({ v: 'error', max_error_rate: 1, threads: 1 }),
    ...input,
    ...flags({
      map: '0:V:0',
      vf: filters.join(','),
      fps_mode: 'passthrough',
      'c:v': 'mjpeg',
      'q:v': 5,
      f: 'image2pipe',
    }),
    outputUrl(0),
  ]
}

/** Filters that leave out what viewers do not see, and close the gaps. */
function keptFilters(keep: readonly KeptRange[], { zeroSeconds }: Timeline): string[] {
  const on = (seconds: number) => (seconds + zeroSeconds).toFixed(6)
  const within = keep.map(
    ({ startSeconds, endSeconds }) => `gte(t,${on(startSeconds)})*lt(t,${on(endSeconds)})`,
  )
  const removed = keep.map(
    ({ startSeconds }, i) =>
      `gte(T,${on(startSeconds)})*${(startSeconds - (keep[i - 1]?.endSeconds ?? -zeroSeconds)).toFixed(6)}`,
  )
  return [`select='${within.join('+')}'`, `setpts='(T-(${removed.join('+')}))/TB'`]
}

/** Splits concatenated JPEG files. The end marker cannot occur within one. */
export function splitJpegs(bytes: Buffer): Buffer[] {
  const files: Buffer[] = []
  const end = Buffer.from([0xff, 0xd9])
  for (let from = 0; from < bytes.length;) {
    const at = bytes.indexOf(end, from)
    if (at < 0) break
    files.push(bytes.subarray(from, at + 2))
    from = at + 2
  }
  return files
}
