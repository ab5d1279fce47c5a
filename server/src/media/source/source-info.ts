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
  /** As a person sees it: rotated, with square pixels. */
  displayWidth: number
  displayHeight: number
  rotation: number
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

/** A track of words to be shown over the picture. */
export type CaptionInfo = {
  /** Position among all subtitle streams, those of pictures too: ffmpeg's `0:s:N`. */
  position: number
  /** BCP 47, in its shortest form. */
  language: string | null
  /** Label shown to viewers. */
  label: string
}

/** Where the source can be cut, kept compactly: enough to compute every playlist without opening the file. */
type KeyframeIndex = {
  /** Keyframe times in microseconds on the container's clock, thinned to about one for each segment. */
  cutsMicros: number[]
  /** Between keyframes at which uploaded bits can be cut: longer than between all where there are too few of these. */
  longestGapSeconds: number
  /** Bits per second of the video stream, over the densest stretch that was inspected. */
  peakBitrate: number
}

/** All that is known of an uploaded file; plain data, kept with the video. */
export type SourceInfo = {
  container: Container
  sizeBytes: number
  /** Only so many of them are read: what follows is the truncated index of a fragment, or another video. */
  wholeBytes?: number | undefined
  /** Length of what is played. */
  durationSeconds: number
  video: VideoInfo
  audio: AudioInfo[]
  /** The one that is meant for everybody first. Not there for what was uploaded before captions were looked for. */
  captions?: CaptionInfo[]
  index: KeyframeIndex
  /** The index promises more than the file holds: everything here ends where the file does. */
  isBrokenOff: boolean
  /** Where the file is damaged and goes on later: the picture before is held. Not there where no damage is known of. */
  holes?: Gap[]
  /** Where its audio is damaged, and nothing is heard. Only those that were met. */
  silences?: Gap[]
}

/** A stretch without a picture, or without audio, in seconds on the container's clock. */
export type Gap = { fromSeconds: number; toSeconds: number }

export type RefusalReason =
  'unknown_container' | 'unsupported_codec' | 'unreadable' | 'no_video' | 'too_large' | 'too_long'

/** The file cannot be a video here. The message is for the person who uploaded it. */
export class SourceRefused extends Error {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string, options?: { cause: unknown }) {
    super(message, options)
    this.name = 'SourceRefused'
    this.reason = reason
  }
}
