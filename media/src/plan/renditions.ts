import type { SourceInfo } from '../source/source-info.ts'
import {
  frameSeconds,
  MAX_COPIED_SEGMENT_BYTES,
  MAX_COPIED_SEGMENT_SECONDS,
  SEGMENT_SECONDS,
  AUDIO_BPS_PER_CHANNEL,
  type Timeline,
} from './timeline.ts'

/** One encoded rendition. */
export type Rendition = {
  /** Short side in pixels: `720`, or `av1-720`. */
  name: string
  codec: 'h264' | 'av1'
  width: number
  height: number
  framesPerSecond: number
  /** Limit in bits per second, over about one second. */
  maxBitrate: number
  crf: number
  /** Preset of x264 or SVT-AV1. */
  preset: string
  /** Level of the codec times ten. */
  level: number
  codecs: string
  /** Upper bound of the peak bits per second of its segments. */
  bandwidth: number
  /** Estimated bits per second of all of it. */
  averageBandwidth: number
  /** Id of the parameter sets of H.264; 0 by default. */
  parameterSetId?: number
}

const heights: [shortSide: number, bitrate: number][] = [
  [144, 90_000],
  [240, 400_000],
  [360, 800_000],
  [480, 1_400_000],
  [720, 2_800_000],
  [1080, 5_000_000],
  [1440, 9_000_000],
  [2160, 16_000_000],
]

/** High profile: level, macroblocks per second, macroblocks per frame, bits per second (H.264 table A-1, times 1.25). */
const levels: [level: number, perSecond: number, perFrame: number, bitrate: number][] = [
  [13, 11_880, 396, 960_000],
  [20, 11_880, 396, 2_500_000],
  [21, 19_800, 792, 5_000_000],
  [22, 20_250, 1_620, 5_000_000],
  [30, 40_500, 1_620, 12_500_000],
  [31, 108_000, 3_600, 17_500_000],
  [32, 216_000, 5_120, 25_000_000],
  [40, 245_760, 8_192, 25_000_000],
  [42, 522_240, 8_704, 62_500_000],
  [50, 589_824, 22_080, 168_750_000],
  [51, 983_040, 36_864, 300_000_000],
  [52, 2_073_600, 36_864, 300_000_000],
  [62, 16_711_680, 139_264, 800_000_000],
]

/** Sources below this short side get no rendition and audio for the slowest connections: 240p is small enough. */
const MIN_LINES_FOR_LOW = 360

/** Whether a source gets 144p and 56 kbit/s audio for slow connections. */
export function isForSlowConnections(source: SourceInfo): boolean {
  return shortSideOf(source) >= MIN_LINES_FOR_LOW
}

/** Renditions this many times smaller than the source cost little of its preparation, so they get a slower preset. */
const SLOWER_PRESET_RATIO = 4.5

/** The H.264 renditions of a source, lowest first: none above the source, at least one. */
export function planLadder(source: SourceInfo, timeline: Timeline): Rendition[] {
  const skipped = passthroughReplaces(source, timeline)
  const ladder = fittingHeights(source)
  return ladder
    .filter(([height]) => ladder.length === 1 || height !== skipped)
    .map(([height, bitrate]) => planRendition(source, timeline, height, bitrate))
}

/** The sizes of a ladder, lowest first: none above the source, at least one. */
function fittingHeights(source: SourceInfo): [shortSide: number, bitrate: number][] {
  const shortSide = shortSideOf(source)
  const lowest = isForSlowConnections(source) ? 144 : 240
  const fitting = heights.filter(([height]) => height >= lowest && height <= shortSide)
  return fitting.length > 0 ? fitting : [[evenLines(shortSide), 300_000]]
}

const shortSideOf = ({ video }: SourceInfo) => Math.min(video.displayWidth, video.displayHeight)
/** Rounds down, unlike `toEven`: no rendition is larger than its source. */
const evenLines = (lines: number) => Math.max(2, lines - (lines % 2))

function planRendition(
  source: SourceInfo,
  timeline: Timeline,
  shortSide: number,
  bitrate: number,
): Rendition {
  const { displayWidth, displayHeight } = source.video
  const scale = shortSide / shortSideOf(source)
  const width = displayWidth < displayHeight ? shortSide : toEven(displayWidth * scale)
  const height = displayWidth < displayHeight ? toEven(displayHeight * scale) : shortSide
  const framesPerSecond = 1 / frameSeconds(timeline)
  const maxBitrate = framesPerSecond > 35 ? Math.round(bitrate * 1.4) : bitrate
  const level = levelFor(width, height, framesPerSecond, maxBitrate)
  return {
    name: String(shortSide),
    codec: 'h264',
    width,
    height,
    framesPerSecond,
    maxBitrate,
    crf: 23,
    preset: shortSide * SLOWER_PRESET_RATIO <= shortSideOf(source) ? 'faster' : 'veryfast',
    level,
    codecs: `avc1.6400${level.toString(16).padStart(2, '0')}`,
    // A segment starts with a full rate buffer of one second, so it can exceed the rate by that once.
    bandwidth:
      Math.round(maxBitrate * (1 + 1 / Math.min(SEGMENT_SECONDS, timeline.durationSeconds))) +
      muxingOverhead(framesPerSecond),
    averageBandwidth: estimateAverage(source, shortSide, maxBitrate),
  }
}

/** How much more the parts at the borders of a cut may need than the source around them. */
const BORDER_BITRATE_RATIO = 1.5
const BORDER_CRF = 18
/** The highest id. Encoders begin with 0, so frames of the source and of its borders can be in one track of a file. */
const HIGHEST_PARAMETER_SET_ID = 31

/** The rendition of parts at the borders of a cut, of the size of the passthrough rendition. */
export function planCutRendition(
  source: SourceInfo,
  timeline: Timeline,
  { width, height }: PassthroughRendition,
  name: string,
): Rendition {
  const bitrate = Math.round(Math.max(source.index.peakBitrate, 1_000_000) * BORDER_BITRATE_RATIO)
  const planned = planRendition(source, timeline, evenLines(shortSideOf(source)), bitrate)
  return {
    ...planned,
    name,
    width,
    height,
    crf: BORDER_CRF,
    preset: 'veryfast',
    parameterSetId: Math.max(1, HIGHEST_PARAMETER_SET_ID - (source.joins ?? 0)),
  }
}

/** Larger sources get no AV1, because their viewers would lose the sizes above. */
export const MAX_AV1_LINES = 1080
/** SVT-AV1 encodes nothing smaller. */
const MIN_AV1_LINES = 64
/** The mean score is that of x264 at its CRF of 23, or better: see decision 26. */
const AV1_CRF = 42
const AV1_PRESET = '10'

/** Main tier: level, luma samples per frame, longest width and height, luma samples per second (AV1, annex A.3). */
const av1Levels: [level: number, perFrame: number, width: number, height: number, perSecond: number][] = [
  [20, 147_456, 2_048, 1_152, 4_423_680],
  [21, 278_784, 2_816, 1_584, 8_363_520],
  [30, 665_856, 4_352, 2_448, 19_975_680],
  [31, 1_065_024, 5_504, 3_096, 31_950_720],
  [40, 2_359_296, 6_144, 3_456, 70_778_880],
  [41, 2_359_296, 6_144, 3_456, 141_557_760],
  [50, 8_912_896, 8_192, 4_352, 267_386_880],
  [51, 8_912_896, 8_192, 4_352, 534_773_760],
]
const HIGHEST_AV1_LEVEL = 60

/**
 * The AV1 renditions of a source, lowest first: the sizes of the H.264 ladder, and the size of the source, because
 * players never combine them with the passthrough rendition. Empty for very small and for large sources.
 */
export function planAv1Ladder(source: SourceInfo, timeline: Timeline): Rendition[] {
  const shortSide = evenLines(shortSideOf(source))
  if (shortSide < MIN_AV1_LINES || shortSide > MAX_AV1_LINES) return []
  const ladder = fittingHeights(source)
  const [next] = heights.filter(([height]) => height >= shortSide)
  const isComplete = ladder.some(([height]) => height === shortSide)
  const sizes = isComplete || !next ? ladder : [...ladder, [shortSide, next[1]] as const]
  return sizes.map(([height, bitrate]) => {
    const rendition = planRendition(source, timeline, height, bitrate)
    const level = av1LevelFor(rendition)
    return {
      ...rendition,
      name: `av1-${rendition.name}`,
      codec: 'av1',
      crf: AV1_CRF,
      preset: AV1_PRESET,
      level,
      codecs: av1CodecString(level),
      averageBandwidth: Math.round(rendition.averageBandwidth / h264BitsPerAv1Bit),
    }
  })
}

function av1LevelFor({ width, height, framesPerSecond }: Rendition): number {
  const fitting = av1Levels.find(
    ([, perFrame, longestWidth, longestHeight, perSecond]) =>
      width * height <= perFrame &&
      width <= longestWidth &&
      height <= longestHeight &&
      width * height * framesPerSecond <= perSecond,
  )
  return fitting?.[0] ?? HIGHEST_AV1_LEVEL
}

/** Main profile, main tier, eight bits. The level is stated as its index: 5 for level 3.1, 8 for 4.0 (AV1, annex A.3). */
function av1CodecString(level: number): string {
  const index = (Math.floor(level / 10) - 2) * 4 + (level % 10)
  return `av01.0.${String(index).padStart(2, '0')}M.08`
}

/** Share of its limit that a rendition of constant quality usually needs, and at least, for moving pictures. */
const USUAL_SHARE = 0.6
const LOWEST_SHARE = 0.05
/** Pictures of fewer pixels need more bits for each: bitrates grow with this power of the number of pixels. */
const PIXEL_EXPONENT = 0.75

/** Estimated average bits per second of an encoded rendition, from the complexity that the bitrate of the source shows. */
function estimateAverage(source: SourceInfo, shortSide: number, maxBitrate: number): number {
  const pixelShare = (shortSide / shortSideOf(source)) ** 2
  const scaled = videoBitrate(source) * (bitsInH264[source.video.codec] ?? 0.5) * pixelShare ** PIXEL_EXPONENT
  return Math.round(Math.min(maxBitrate * USUAL_SHARE, Math.max(maxBitrate * LOWEST_SHARE, scaled)))
}

const h264BitsPerAv1Bit = 2
/** Bits that H.264 needs for one bit of other codecs; fewer than one for older ones. */
const bitsInH264: Record<string, number> = { h264: 1, hevc: 1.5, vp9: 1.5, av1: h264BitsPerAv1Bit }

/** Average bits per second of the video of a source: the file without its estimated audio. */
function videoBitrate(source: SourceInfo): number {
  const audio = source.audio.reduce((sum, { channels }) => sum + AUDIO_BPS_PER_CHANNEL * channels, 0)
  const total = averageBitrate(source)
  return Math.max(total - audio, total / 2)
}

const averageBitrate = ({ sizeBytes, durationSeconds }: SourceInfo) =>
  Math.ceil((sizeBytes * 8) / Math.max(durationSeconds, 0.01))

function toEven(pixels: number): number {
  return Math.max(2, Math.round(pixels / 2) * 2)
}

function levelFor(width: number, height: number, framesPerSecond: number, bitrate: number): number {
  const perFrame = Math.ceil(width / 16) * Math.ceil(height / 16)
  const fitting = levels.find(
    ([, maxPerSecond, maxPerFrame, maxBitrate]) =>
      perFrame <= maxPerFrame && perFrame * framesPerSecond <= maxPerSecond && bitrate <= maxBitrate,
  )
  return fitting?.[0] ?? 62
}

/** The source's own frames as a rendition, if browsers can play them. */
export type PassthroughRendition = {
  width: number
  height: number
  framesPerSecond: number
  codecs: string
  bandwidth: number
  /** Estimated bits per second of all of it. */
  averageBandwidth: number
  /** Cut times on the container's clock. */
  cutsMicros: number[]
}

const MAX_FROZEN_SECONDS = 10

/** Plans the passthrough rendition; null if browsers cannot play the source or it cannot be cut. */
export function planPassthrough(source: SourceInfo, timeline: Timeline): PassthroughRendition | null {
  const { video, index } = source
  const isPlayable =
    video.codecString !== null &&
    isWidelyDecoded(video.codec, video.profile, video.pixelFormat) &&
    video.rotation === 0 &&
    !video.isTransformed &&
    video.hasSquarePixels &&
    !video.isInterlaced &&
    !video.isHdr &&
    // damaged sources are encoded: decoders on the server tolerate damage, players do not
    source.videoGaps === undefined
  const hidesFrames = (index.cutsMicros[0] ?? 0) / 1e6 < video.startSeconds - 0.001
  const frozenSeconds = timeline.extendsLastFrame
    ? timeline.zeroSeconds + timeline.durationSeconds - video.endSeconds
    : 0
  if (
    !isPlayable ||
    hidesFrames ||
    index.longestGapSeconds > MAX_COPIED_SEGMENT_SECONDS ||
    (index.longestGapSeconds * index.peakBitrate) / 8 > MAX_COPIED_SEGMENT_BYTES ||
    frozenSeconds > MAX_FROZEN_SECONDS
  )
    return null
  const framesPerSecond = video.frameRate.num / video.frameRate.den
  return {
    width: video.codedWidth,
    height: video.codedHeight,
    framesPerSecond,
    codecs: video.codecString ?? '',
    bandwidth: passthroughPeakBitrate(source) + muxingOverhead(framesPerSecond),
    averageBandwidth: Math.ceil(videoBitrate(source)) + muxingOverhead(framesPerSecond),
    cutsMicros: index.cutsMicros,
  }
}

/** Bits per second that fMP4 adds: 16 bytes per frame, and the boxes of a segment. */
function muxingOverhead(framesPerSecond: number): number {
  return Math.ceil((framesPerSecond * 16 + 132) * 8)
}

/**
 * The peak bitrate of the passthrough rendition. It is sampled, so the average of the whole file is its lower bound for
 * playlists. That average includes other data of the file, so it does not bound the size of a segment.
 */
function passthroughPeakBitrate(source: SourceInfo): number {
  return Math.max(source.index.peakBitrate, averageBitrate(source))
}

function isWidelyDecoded(codec: string, profile: string | null, pixelFormat: string): boolean {
  if (pixelFormat !== 'yuv420p' && pixelFormat !== 'yuvj420p') return false
  if (codec === 'h264')
    return ['Baseline', 'Constrained Baseline', 'Main', 'High', 'Progressive High'].includes(profile ?? '')
  return (codec === 'vp9' && profile === 'Profile 0') || (codec === 'av1' && profile === 'Main')
}

/**
 * Short side of the source if the passthrough rendition is H.264 of moderate bitrate, which makes an encoded rendition
 * of that size redundant.
 */
function passthroughReplaces(source: SourceInfo, timeline: Timeline): number | null {
  if (source.video.codec !== 'h264' || !planPassthrough(source, timeline)) return null
  const shortSide = shortSideOf(source)
  const own = heights.find(([height]) => height === shortSide)
  return own && passthroughPeakBitrate(source) <= own[1] * 1.6 ? shortSide : null
}

/** Start times of the segments of the passthrough rendition in presentation time, and its end. */
export function passthroughStarts(rendition: PassthroughRendition, timeline: Timeline): number[] {
  const starts = rendition.cutsMicros.map((cut, i) => (i === 0 ? 0 : cut / 1e6 - timeline.zeroSeconds))
  return [...starts, timeline.durationSeconds]
}
