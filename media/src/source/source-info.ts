import { AppError } from '@kinora/platform/errors.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import type { Container } from './container.ts'

/** A rational number, as frame rates are. */
export type Rational = { num: number; den: number }

/** The video stream of a source. Times are seconds on the container's own clock. */
export type VideoInfo = {
  codec: string
  profile: string | null
  /** RFC 6381, where the codec can be carried in fMP4. */
  codecString: string | null
  codedWidth: number
  codedHeight: number
  /** With rotation and pixel aspect ratio applied. */
  displayWidth: number
  displayHeight: number
  /** Clockwise, in degrees: 0, 90, 180 or 270. */
  rotation: number
  /** The picture is also mirrored, or turned by another angle: only ffmpeg shows it right. Absent from older videos. */
  isTransformed?: boolean
  hasSquarePixels: boolean
  frameRate: Rational
  isVariableFrameRate: boolean
  pixelFormat: string
  bitDepth: number
  isFullRange: boolean
  colorSpace: string | null
  colorPrimaries: string | null
  colorTransfer: string | null
  isHdr: boolean
  isInterlaced: boolean
  startSeconds: number
  endSeconds: number
  /** How much later ffmpeg's demuxer presents the frames than the index states, if it does. */
  demuxerDelaySeconds?: number
}

export type AudioInfo = {
  /** Position among the audio streams: ffmpeg's `0:a:N`. */
  position: number
  codec: string
  codecString: string | null
  channels: number
  sampleRate: number
  language: string | null
  isDefault: boolean
  startSeconds: number
  endSeconds: number
}

/** A caption track. */
export type CaptionInfo = {
  /** Position among all subtitle streams, including bitmaps: ffmpeg's `0:s:N`. */
  position: number
  /** BCP 47, in its shortest form. */
  language: string | null
  /** Label shown to viewers. */
  label: string
}

/** A chapter that the file names, on the clock that the video is played by. It lasts until the next one. */
export type ChapterInfo = { title: string; startSeconds: number }

/** Cut positions of the source in compact form: enough to compute every playlist without opening the file. */
type KeyframeIndex = {
  /** Keyframe times in microseconds on the container's clock, thinned to about one for each segment. */
  cutsMicros: number[]
  /** Distance of keyframes at which the source can be cut; of all keyframes if there are too few of these. */
  longestGapSeconds: number
  /** Bits per second of the video stream, over the densest part that was inspected. */
  peakBitrate: number
}

/** Everything known about an uploaded file. Plain data, stored with the video. */
export type SourceInfo = {
  container: Container
  sizeBytes: number
  /** Only this many bytes are read. A truncated `moof` or a chained video follows. */
  wholeBytes?: number | undefined
  /** Duration of what is played. */
  durationSeconds: number
  video: VideoInfo
  audio: AudioInfo[]
  /** The default track first. Absent from videos uploaded before captions were supported. */
  captions?: CaptionInfo[]
  /** In order; at least two. Not there where the file names none. */
  chapters?: ChapterInfo[]
  index: KeyframeIndex
  /** The index states more than the file contains: everything here ends where the file does. */
  isBrokenOff: boolean
  /** Video gaps: the previous frame is shown. Absent if none is known. */
  videoGaps?: Gap[]
  /** Audio gaps: nothing is heard. Only those found so far. */
  audioGaps?: Gap[]
  /** How often borders of a cut were written into the file: each time with a parameter set of its own. */
  joins?: number
  /** Names of tracks that cannot be encoded: they are left out of the presentation. */
  failedTracks?: string[]
}

/** A gap of the video or audio, in seconds on the container's clock. */
export type Gap = { fromSeconds: number; toSeconds: number }

export type RefusalReason =
  'unknown_container' | 'unsupported_codec' | 'unreadable' | 'no_video' | 'too_large' | 'too_long'

/** The file is refused, with an error for its uploader. */
export class SourceRefused extends Error {
  readonly reason: RefusalReason
  readonly failure: AppError

  constructor(reason: RefusalReason, failure: AppError, options?: { cause: unknown }) {
    super(failure.message, options)
    this.name = 'SourceRefused'
    this.reason = reason
    this.failure = failure
  }
}

export const unsupportedCodec = (name: string) =>
  new SourceRefused('unsupported_codec', new AppError(videoErrors.codecUnsupported, { name }))

/** `position` is the byte where the file is damaged, or ends. */
export const damagedVideo = (cause?: unknown, position?: number) =>
  new SourceRefused(
    'unreadable',
    position === undefined
      ? new AppError(videoErrors.videoDamaged)
      : new AppError(videoErrors.videoDamagedAt, { position }),
    { cause },
  )
