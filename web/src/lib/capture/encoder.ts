import type { AudioMixer } from './audio-mixer.ts'
import type { Size } from './picture-layout.ts'

export type RecordingType = 'video/mp4' | 'video/webm'

/** Picture and sound of a recorder. */
export interface EncoderInput {
  canvas: HTMLCanvasElement
  mixer: AudioMixer
  /** Position of the recording. */
  positionMs: () => number
  onFailure: (error: unknown) => void
}

export interface EncoderOptions extends EncoderInput {
  /** The types that may be written, the preferred one first. */
  types: readonly RecordingType[]
  /** Receives the file piece by piece. What was received so far can be played at any time. */
  onFragment: (fragment: Blob) => void
}

/** Turns what is drawn and heard into a file that grows. */
export interface Encoder {
  readonly type: RecordingType
  start(): Promise<void>
  /** Takes the picture as it is now. */
  takePicture(): void
  pause(): void
  resume(): void
  /** Writes the rest. */
  stop(): Promise<void>
}

export const framesPerSecond = 30
/** Players seek to key frames, and a fragment begins with one. */
export const keyFrameSeconds = 2
export const audioBitrate = 128_000

/** Legible text on a screen, at about 5 Mbit/s in Full HD. */
export const videoBitrate = ({ width, height }: Size) => Math.max(1_000_000, Math.round(width * height * 2.4))
