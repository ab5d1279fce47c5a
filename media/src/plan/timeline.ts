import type { AudioInfo, Rational, SourceInfo } from '../source/source-info.ts'

/**
 * Target duration of a segment. Encoded segments differ by at most half a frame; remuxed ones are at least this long.
 */
export const SEGMENT_SECONDS = 4
/** The longest passthrough segment. Sources with keyframes further apart get no passthrough rendition. */
export const MAX_COPIED_SEGMENT_SECONDS = 15
/** The largest passthrough segment: it is in memory while it is sent. */
export const MAX_COPIED_SEGMENT_BYTES = 16 * 1024 ** 2
export const MAX_FRAME_RATE = 60
/** How late the first frame of a segment may be if frames are uneven; the previous one is shown until then. */
export const LATE_FRAME_SECONDS = 0.25
/** The same for a constant frame rate, in frames. */
const LATE_FRAMES = 1.6
/**
 * A shorter lead of the audio over the video is the priming of an encoder, and is dropped; a longer one is played. AAC has
 * 2112 samples of priming (QuickTime File Format, "Audio Priming"), which HE-AAC codes at half the rate: 0.096 s at 44.1 kHz.
 */
const AUDIO_LEAD_SECONDS = 0.1
/** If the audio outlasts the video by more than this, the last frame is held until the audio ends. */
const AUDIO_EXCESS_SECONDS = 1

/**
 * The common clock of a video: every rendition and the audio are cut on it. Presentation time 0 is `zeroSeconds` on the
 * container's clock. Encoded segments lie on a grid of whole frames that starts with the first frame.
 */
export type Timeline = {
  zeroSeconds: number
  durationSeconds: number
  videoStartSeconds: number
  videoEndSeconds: number
  frameRate: Rational
  framesPerSegment: number
  segmentCount: number
  /** The audio continues after the video: the last frame is shown until it ends. */
  extendsLastFrame: boolean
  /** Frames are evenly spaced. */
  isEven: boolean
  /** Segments of other lengths than those of the grid, at the border of a range that viewers see. */
  border?: { starts: number[]; startsRange: boolean; endsRange: boolean }
}

/** Computes the clock and the segment grid of a source. */
export function planTimeline(source: Pick<SourceInfo, 'video' | 'audio'>): Timeline {
  const { video } = source
  const audioStart = Math.min(...source.audio.map((track) => track.startSeconds))
  const audioEnd = Math.max(...source.audio.map((track) => track.endSeconds))
  const extendsLastFrame = audioEnd > video.endSeconds + AUDIO_EXCESS_SECONDS
  const zeroSeconds = audioStart < video.startSeconds - AUDIO_LEAD_SECONDS ? audioStart : video.startSeconds
  const endSeconds = extendsLastFrame ? audioEnd : video.endSeconds
  const frameRate = encodedFrameRate(video.frameRate)
  const framesPerSegment = Math.max(1, Math.round((SEGMENT_SECONDS * frameRate.num) / frameRate.den))
  const frames = Math.max(1, Math.round(((endSeconds - video.startSeconds) * frameRate.num) / frameRate.den))
  return {
    zeroSeconds,
    durationSeconds: endSeconds - zeroSeconds,
    videoStartSeconds: video.startSeconds,
    videoEndSeconds: video.endSeconds,
    frameRate,
    framesPerSegment,
    segmentCount: Math.ceil(frames / framesPerSegment),
    extendsLastFrame,
    isEven: !video.isVariableFrameRate,
  }
}

function encodedFrameRate(rate: Rational): Rational {
  return rate.num / rate.den > MAX_FRAME_RATE + 0.5 ? { num: MAX_FRAME_RATE, den: 1 } : rate
}

/** Duration of one frame on the grid, in seconds. */
export function frameSeconds({ frameRate }: Timeline): number {
  return frameRate.den / frameRate.num
}

/** How late the first frame of a segment of this source may be. */
export function lateFrameSeconds({ isVariableFrameRate }: SourceInfo['video'], timeline: Timeline): number {
  return isVariableFrameRate ? LATE_FRAME_SECONDS : frameSeconds(timeline) * LATE_FRAMES
}

/** Start of encoded segment `index` in presentation time; `segmentCount` returns the end. */
export function segmentStart(timeline: Timeline, index: number): number {
  if (index <= 0) return 0
  if (index >= timeline.segmentCount) return timeline.durationSeconds
  if (timeline.border) return timeline.border.starts[index] ?? timeline.durationSeconds
  const start = timeline.videoStartSeconds - timeline.zeroSeconds
  return start + index * timeline.framesPerSegment * frameSeconds(timeline)
}

/**
 * Boundary between segments `index - 1` and `index` on the container's clock: half a frame before the grid, so that
 * rounding moves no frame across it. Null before segment 0 and after the last.
 */
export function cutSeconds(timeline: Timeline, index: number): number | null {
  if (index <= 0 || index >= timeline.segmentCount) return null
  return timeline.zeroSeconds + segmentStart(timeline, index) - frameSeconds(timeline) / 2
}

/** Durations of all encoded segments. */
export function segmentDurations(timeline: Timeline): number[] {
  return Array.from(
    { length: timeline.segmentCount },
    (_, index) => segmentStart(timeline, index + 1) - segmentStart(timeline, index),
  )
}

/** AAC frames have 1024 samples; audio is cut between them. */
export const AAC_FRAME_SAMPLES = 1024

/** Bits per second of one channel of AAC: the target of the encoder, and the estimate for sources. */
export const AUDIO_BPS_PER_CHANNEL = 64_000

/** How one audio track becomes segments: a grid of whole AAC frames, counted from presentation time 0. */
export type AudioPlan = {
  position: number
  isCopied: boolean
  /** A second encode of the track with few bits, for slow connections. */
  isLowBitrate: boolean
  channels: number
  sampleRate: number
  framesPerSegment: number
  frameCount: number
  segmentCount: number
  language: string | null
  isDefault: boolean
  codecString: string
  /** Maximum bits per second. */
  bitrate: number
  /** Bits per second that the encoder aims at; for a copied track, an estimate. */
  averageBitrate: number
}

const encodedSampleRates = [32_000, 44_100, 48_000]

/** Target bits per second of audio for slow connections. With 144p at up to 35 fps, the average stays below 150 kbit/s. */
const LOW_AUDIO_BPS = 56_000

/** Plans the audio tracks. `includesLowBitrate` adds a second encode of each track, for slow connections. */
export function planAudio(source: SourceInfo, timeline: Timeline, includesLowBitrate: boolean): AudioPlan[] {
  return (includesLowBitrate ? [false, true] : [false]).flatMap((isLowBitrate) =>
    planTracks(source, timeline, isLowBitrate),
  )
}

function planTracks(source: SourceInfo, timeline: Timeline, isLowBitrate: boolean): AudioPlan[] {
  return source.audio.map((track) => {
    const isCopied = !isLowBitrate && canCopyAudio(source, track, timeline)
    const sampleRate = isCopied || encodedSampleRates.includes(track.sampleRate) ? track.sampleRate : 48_000
    const channels = isCopied ? track.channels : Math.min(track.channels, 2)
    const framesPerSegment = Math.round((SEGMENT_SECONDS * sampleRate) / AAC_FRAME_SAMPLES)
    // An encoded track is padded with silence to the length of the presentation: a player whose audio ends early
    // stalls.
    const endSeconds = isCopied ? track.endSeconds - timeline.zeroSeconds : timeline.durationSeconds
    const frameCount = Math.max(1, Math.round((endSeconds * sampleRate) / AAC_FRAME_SAMPLES))
    const averageBitrate = isLowBitrate ? LOW_AUDIO_BPS : AUDIO_BPS_PER_CHANNEL * channels
    return {
      position: track.position,
      isCopied,
      isLowBitrate,
      channels,
      sampleRate,
      framesPerSegment,
      frameCount,
      segmentCount: Math.ceil(frameCount / framesPerSegment),
      language: track.language,
      isDefault: track.isDefault,
      codecString: isCopied ? (track.codecString ?? 'mp4a.40.2') : 'mp4a.40.2',
      bitrate: isCopied ? 160_000 * Math.max(1, channels / 2) : averageBitrate * 1.125,
      averageBitrate,
    }
  })
}

function canCopyAudio(source: SourceInfo, track: AudioInfo, timeline: Timeline): boolean {
  return (
    source.container === 'mp4' &&
    source.videoGaps === undefined &&
    track.codec === 'aac' &&
    track.codecString === 'mp4a.40.2' &&
    track.channels <= 2 &&
    track.startSeconds - timeline.zeroSeconds < 0.25 &&
    timeline.zeroSeconds + timeline.durationSeconds - track.endSeconds < 0.5
  )
}

/** Start of audio segment `index` in presentation time. */
function audioSegmentStart(plan: AudioPlan, index: number): number {
  return (Math.min(index * plan.framesPerSegment, plan.frameCount) * AAC_FRAME_SAMPLES) / plan.sampleRate
}

/** Durations of all segments of a track. */
export function audioSegmentDurations(plan: AudioPlan): number[] {
  return Array.from(
    { length: plan.segmentCount },
    (_, index) => audioSegmentStart(plan, index + 1) - audioSegmentStart(plan, index),
  )
}
