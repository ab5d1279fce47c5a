import { createHash } from 'node:crypto'
import type { Presentation } from './hls.ts'
import { audioName, findRendition, PASSTHROUGH_NAME } from './hls.ts'
import { passthroughStarts } from './renditions.ts'
import {
  AAC_FRAME_SAMPLES,
  type AudioPlan,
  frameSeconds,
  SEGMENT_SECONDS,
  segmentStart,
  type Timeline,
} from './timeline.ts'

/** A part of a source that viewers see, in presentation time. */
export type KeptRange = { startSeconds: number; endSeconds: number }

/** Track with the parts at the borders of ranges of the passthrough rendition, which are encoded. */
export const CUT_SOURCE_NAME = 'source-join'

/** A part of a video track that lies at the border of a range. */
export type VideoBorder = {
  fromSeconds: number
  toSeconds: number
  /** The range begins, or ends, with it. */
  startsRange: boolean
  endsRange: boolean
}

/** A part of an audio track at the border of a range, in AAC frames. Frames outside of the audible ones are silent. */
export type AudioBorder = {
  fromFrame: number
  toFrame: number
  audibleFrom: number | null
  audibleTo: number | null
}

export type Border = VideoBorder | AudioBorder

/** A part of a cut track: a segment of the whole track, or one of its own at the border of a range. */
export type CutPart =
  | { kind: 'segment'; index: number; seconds: number }
  | { kind: 'border'; name: string; border: Border; seconds: number }

/** Borders shorter than this take in the segment next to them. */
const MIN_BORDER_SECONDS = 0.5
/** Longer borders, where keyframes are far apart, are several parts. */
const MAX_BORDER_SECONDS = 1.5 * SEGMENT_SECONDS

/**
 * The ranges on the grid of frames, within the presentation. Ranges that touch become one. Null if they are all of the
 * presentation.
 */
export function snapRanges(timeline: Timeline, ranges: readonly KeptRange[]): KeptRange[] | null {
  const offset = timeline.videoStartSeconds - timeline.zeroSeconds
  const frame = frameSeconds(timeline)
  const last = Math.max(1, Math.round((timeline.durationSeconds - offset) / frame))
  const frameAt = (seconds: number) => Math.min(last, Math.max(0, Math.round((seconds - offset) / frame)))
  const timeOf = (at: number) =>
    at === 0 ? 0 : at === last ? timeline.durationSeconds : Math.round((offset + at * frame) * 1e6) / 1e6
  const frames: { from: number; to: number }[] = []
  for (const range of ranges) {
    const [from, to] = [frameAt(range.startSeconds), frameAt(range.endSeconds)]
    const before = frames.at(-1)
    if (before && from <= before.to) before.to = Math.max(before.to, to)
    else if (to > from) frames.push({ from, to })
  }
  const isAll = frames.length === 1 && frames[0]?.from === 0 && frames[0].to === last
  return isAll ? null : frames.map(({ from, to }) => ({ startSeconds: timeOf(from), endSeconds: timeOf(to) }))
}

/**
 * A cut on the timeline that its file has after damage was found: nothing that was removed becomes visible. Where nothing of
 * it remains, a last frame does, because a video has at least one.
 */
export function clipRanges(
  before: Timeline,
  after: Timeline,
  keep: readonly KeptRange[],
): KeptRange[] | null {
  const shift = before.zeroSeconds - after.zeroSeconds
  const moved = keep.map(({ startSeconds, endSeconds }) => ({
    startSeconds: startSeconds + shift,
    endSeconds: endSeconds + shift,
  }))
  const clipped = snapRanges(after, moved)
  if (clipped === null || clipped.length > 0) return clipped
  const { durationSeconds } = after
  return snapRanges(after, [
    { startSeconds: durationSeconds - frameSeconds(after), endSeconds: durationSeconds },
  ])
}

/** The ranges within a presentation, which may have become shorter than a cut. */
const rangesWithin = (keep: readonly KeptRange[], { durationSeconds }: Timeline): KeptRange[] =>
  keep
    .map(({ startSeconds, endSeconds }) => ({
      startSeconds,
      endSeconds: Math.min(endSeconds, durationSeconds),
    }))
    .filter(({ startSeconds, endSeconds }) => endSeconds - startSeconds > 1e-6)

/**
 * The tracks of a cut source. Parts at borders are encoded to H.264, and players never change codecs within a rendition,
 * so there is no passthrough rendition of other codecs, and no AV1.
 */
export function cutPresentation(presentation: Presentation): Presentation {
  const { passthrough } = presentation
  const isH264 = passthrough?.codecs.startsWith('avc1') === true
  return { ...presentation, passthrough: isH264 ? passthrough : null, av1: [] }
}

/** The parts of a track, for each range; undefined for an unknown name. */
export function cutParts(
  presentation: Presentation,
  cut: readonly KeptRange[],
  name: string,
): CutPart[][] | undefined {
  const { audio, timeline } = presentation
  const keep = rangesWithin(cut, timeline)
  const { passthrough } = cutPresentation(presentation)
  const frame = frameSeconds(timeline)
  if (name === PASSTHROUGH_NAME) {
    if (!passthrough) return undefined
    const starts = passthroughStarts(passthrough, timeline)
    return keep.map((range) => videoParts(starts, range, { frame, needsBorders: false }))
  }
  const plan = audio.find((track) => audioName(track) === name)
  if (plan) return audioParts(plan, keep, timeline.durationSeconds)
  if (!findRendition(presentation, name)) return undefined
  const starts = Array.from({ length: timeline.segmentCount + 1 }, (_, i) => segmentStart(timeline, i))
  // frames of a segment may begin late where they are uneven, which nothing may show at a join
  return keep.map((range) => videoParts(starts, range, { frame, needsBorders: !timeline.isEven }))
}

/** `starts` are those of all segments, and the end. */
function videoParts(
  starts: number[],
  { startSeconds, endSeconds }: KeptRange,
  { frame, needsBorders }: { frame: number; needsBorders: boolean },
): CutPart[] {
  const near = frame / 2
  const at = (index: number) => starts[index] ?? Infinity
  const ends = at(starts.length - 1)
  let first = starts.findIndex((start) => start >= startSeconds - near)
  let last = starts.findLastIndex((start) => start <= endSeconds + near)
  const startLength = () => at(first) - startSeconds
  const endLength = () => endSeconds - at(last)
  const isBorder = (seconds: number) => seconds > near
  const isTooShort = (seconds: number) => isBorder(seconds) && seconds < MIN_BORDER_SECONDS
  if (needsBorders && startSeconds > near && !isBorder(startLength())) first += 1
  if (needsBorders && endSeconds < ends - near && !isBorder(endLength())) last -= 1
  if (isTooShort(startLength())) first += 1
  if (isTooShort(endLength())) last -= 1
  if (first >= last)
    return borders(
      { fromSeconds: startSeconds, toSeconds: endSeconds, startsRange: true, endsRange: true },
      frame,
    )
  const hasStart = isBorder(startLength())
  const hasEnd = isBorder(endLength())
  const segments = Array.from({ length: last - first }, (_, i): CutPart => {
    const index = first + i
    // the lengths of all parts are that of the range, whichever frame is nearest
    const start = i === 0 && !hasStart ? startSeconds : at(index)
    const end = index + 1 === last && !hasEnd ? endSeconds : at(index + 1)
    return { kind: 'segment', index, seconds: end - start }
  })
  return [
    ...(hasStart
      ? borders(
          { fromSeconds: startSeconds, toSeconds: at(first), startsRange: true, endsRange: false },
          frame,
        )
      : []),
    ...segments,
    ...(hasEnd
      ? borders({ fromSeconds: at(last), toSeconds: endSeconds, startsRange: false, endsRange: true }, frame)
      : []),
  ]
}

/** A border as one part or several. */
function borders({ fromSeconds, toSeconds, startsRange, endsRange }: VideoBorder, frame: number): CutPart[] {
  const length = toSeconds - fromSeconds
  const count = Math.max(1, Math.ceil(length / MAX_BORDER_SECONDS))
  const boundary = (i: number) =>
    i === count
      ? toSeconds
      : Math.round((fromSeconds + Math.round((i * length) / count / frame) * frame) * 1e6) / 1e6
  return Array.from({ length: count }, (_, i) => {
    const border = {
      fromSeconds: i === 0 ? fromSeconds : boundary(i),
      toSeconds: boundary(i + 1),
      startsRange: startsRange && i === 0,
      endsRange: endsRange && i + 1 === count,
    }
    return borderPart(border, border.toSeconds - border.fromSeconds)
  })
}

/** Named by what it contains: caches keep it for a year, whichever cut is in force. */
function borderPart(border: Border, seconds: number): CutPart {
  const text = JSON.stringify(Object.values(border))
  const name = `c${createHash('sha256').update(text).digest('hex').slice(0, 15)}`
  return { kind: 'border', name, border, seconds }
}

const MIN_BORDER_FRAMES = 12

/**
 * The parts of an audio track. The ranges of frames are chosen so that those of all ranges before a join are as long as the
 * video before it, to half a frame, and begin with the video to half a frame: neither players that concatenate, nor those
 * that place each range by its timestamps, lose sync.
 */
function audioParts(plan: AudioPlan, keep: readonly KeptRange[], durationSeconds: number): CutPart[][] {
  const perSecond = plan.sampleRate / AAC_FRAME_SAMPLES
  const tiny = 1e-6
  let videoSeconds = 0
  let audioFrames = 0
  return keep.map(({ startSeconds, endSeconds }) => {
    const lag = audioFrames - videoSeconds * perSecond
    const fromFrame = Math.max(0, Math.round(startSeconds * perSecond + lag))
    videoSeconds += endSeconds - startSeconds
    const count = Math.max(1, Math.round(videoSeconds * perSecond - audioFrames))
    audioFrames += count
    return audioRange(plan, {
      fromFrame,
      toFrame: fromFrame + count,
      audibleFrom: startSeconds <= 0 ? null : Math.ceil((startSeconds - tiny) * perSecond),
      audibleTo: endSeconds >= durationSeconds - tiny ? null : Math.floor((endSeconds + tiny) * perSecond),
    })
  })
}

function audioRange(plan: AudioPlan, whole: AudioBorder): CutPart[] {
  const { fromFrame, toFrame, audibleFrom, audibleTo } = whole
  const { framesPerSegment, frameCount, segmentCount, isCopied } = plan
  const start = (index: number) => Math.min(index * framesPerSegment, frameCount)
  const seconds = (frames: number) => (frames * AAC_FRAME_SAMPLES) / plan.sampleRate
  // a copied frame may begin half a frame off the grid, which a border of its own looks at
  const spare = isCopied ? 1 : 0
  const heardFrom = audibleFrom === null ? 0 : audibleFrom + spare
  let first = Math.ceil(Math.max(fromFrame, heardFrom) / framesPerSegment)
  // an encoded range fades in; the first frame of a copied one does so in the decoder
  const fadesIn = audibleFrom !== null && !isCopied
  if (fadesIn && start(first) === fromFrame) first += 1
  if (start(first) > fromFrame && start(first) - fromFrame < MIN_BORDER_FRAMES) first += 1
  // a frame is heard until the end of the next one
  const limit = audibleTo === null ? toFrame : Math.min(toFrame, audibleTo - spare) - 1
  let last = Math.min(segmentCount, Math.floor(limit / framesPerSegment))
  if (audibleTo === null && limit >= frameCount) last = segmentCount
  if (toFrame > start(last) && toFrame - start(last) < MIN_BORDER_FRAMES) last -= 1
  if (first >= last) return [borderPart(whole, seconds(toFrame - fromFrame))]
  return [
    ...(start(first) > fromFrame
      ? [
          borderPart(
            { fromFrame, toFrame: start(first), audibleFrom, audibleTo: null },
            seconds(start(first) - fromFrame),
          ),
        ]
      : []),
    ...Array.from({ length: last - first }, (_, i): CutPart => {
      const index = first + i
      return { kind: 'segment', index, seconds: seconds(start(index + 1) - start(index)) }
    }),
    ...(toFrame > start(last)
      ? [
          borderPart(
            { fromFrame: start(last), toFrame, audibleFrom: null, audibleTo },
            seconds(toFrame - start(last)),
          ),
        ]
      : []),
  ]
}

/** The media playlist of a cut track; undefined for an unknown name. Each join is a discontinuity of the timestamps. */
export function cutPlaylist(
  presentation: Presentation,
  keep: readonly KeptRange[],
  name: string,
): string | undefined {
  const ranges = cutParts(presentation, keep, name)
  if (!ranges) return undefined
  const folder = name === PASSTHROUGH_NAME ? `../${CUT_SOURCE_NAME}/` : ''
  const lines: string[] = []
  let map: string | undefined
  for (const [index, parts] of ranges.entries()) {
    if (index > 0) lines.push('#EXT-X-DISCONTINUITY')
    for (const part of parts) {
      const own = part.kind === 'border' ? folder : ''
      if (map !== own) lines.push(`#EXT-X-MAP:URI="${own}init.mp4"`)
      map = own
      const file = part.kind === 'border' ? `${own}${part.name}.m4s` : `${part.index}.m4s`
      lines.push(`#EXTINF:${part.seconds.toFixed(6)},`, file)
    }
  }
  const longest = Math.max(1, ...ranges.flat().map(({ seconds }) => Math.round(seconds)))
  const head = ['#EXTM3U', '#EXT-X-VERSION:7', `#EXT-X-TARGETDURATION:${longest}`]
  const kind = ['#EXT-X-MEDIA-SEQUENCE:0', '#EXT-X-PLAYLIST-TYPE:VOD', '#EXT-X-INDEPENDENT-SEGMENTS']
  return `${[...head, ...kind, ...lines, '#EXT-X-ENDLIST'].join('\n')}\n`
}

/** Text that names a cut in addresses of files that are others in each cut. */
export function cutKeyOf(keep: readonly KeptRange[]): string {
  const micros = keep.flatMap((range) =>
    [range.startSeconds, range.endSeconds].map((seconds) => Math.round(seconds * 1e6)),
  )
  return createHash('sha256').update(micros.join()).digest('hex').slice(0, 12)
}

/** A timeline on which a border is a segment, and the index of that. */
export function borderTimeline(
  timeline: Timeline,
  { fromSeconds, toSeconds, startsRange, endsRange }: VideoBorder,
): { timeline: Timeline; index: number } {
  const { durationSeconds } = timeline
  const index = fromSeconds > 0 ? 1 : 0
  const inner = toSeconds < durationSeconds ? [toSeconds] : []
  const starts = [0, ...(index === 1 ? [fromSeconds] : []), ...inner]
  return {
    index,
    timeline: { ...timeline, segmentCount: starts.length, border: { starts, startsRange, endsRange } },
  }
}
