import { StreamEnded } from '../refusals.ts'

/** The body of an FLV video tag: the configuration of a track, or one coded frame. */
export type VideoTag =
  | { kind: 'config'; data: Buffer }
  | { kind: 'frame'; isKey: boolean; compositionMs: number; data: Buffer }
  | { kind: 'other' }

export type AudioTag =
  { kind: 'config'; codec: AudioCodec; data: Buffer } | { kind: 'frame'; data: Buffer } | { kind: 'other' }

export type AudioCodec = 'aac' | 'opus'

const AVC = 7
const AAC = 10
/** Sound of Enhanced RTMP, whose tags name the codec by four letters. */
const ENHANCED_AUDIO = 9
const SEQUENCE_START = 0
const CODED_FRAMES = 1
const KEY_FRAME = 1
const INFORMATION_FRAME = 5
/** The bit of Enhanced RTMP, whose tags name other codecs by four letters. */
const ENHANCED = 0x80
/** Nobody shows a frame later after its decoding: the value is damaged. */
const MAX_COMPOSITION_MS = 5000

/** Parses a video tag (Adobe Flash Video File Format 10.1, annex E.4.3). Throws `StreamEnded` for other codecs than H.264. */
export function parseVideoTag(body: Buffer): VideoTag {
  const first = body[0]
  if (first === undefined) return { kind: 'other' }
  if ((first & ENHANCED) !== 0 || (first & 0x0f) !== AVC) throw new StreamEnded('unsupported_video')
  const frameType = first >> 4
  if (frameType === INFORMATION_FRAME || body.length < 5) return { kind: 'other' }
  const data = body.subarray(5)
  if (body[1] === 0) return { kind: 'config', data }
  if (body[1] !== 1 || data.length === 0) return { kind: 'other' }
  const compositionMs = (body.readUIntBE(2, 3) << 8) >> 8
  if (Math.abs(compositionMs) > MAX_COMPOSITION_MS) throw new StreamEnded('protocol')
  return { kind: 'frame', isKey: frameType === KEY_FRAME, compositionMs, data }
}

/**
 * Parses an audio tag (annex E.4.2; Enhanced RTMP v2, "Enhanced Audio"). Throws `StreamEnded` for other codecs than AAC and
 * Opus.
 */
export function parseAudioTag(body: Buffer): AudioTag {
  const first = body[0]
  if (first === undefined) return { kind: 'other' }
  if (first >> 4 === ENHANCED_AUDIO) return parseEnhancedAudio(first & 0x0f, body)
  if (first >> 4 !== AAC) throw new StreamEnded('unsupported_audio')
  const data = body.subarray(2)
  if (data.length === 0) return { kind: 'other' }
  return body[1] === 0 ? { kind: 'config', codec: 'aac', data } : { kind: 'frame', data }
}

function parseEnhancedAudio(type: number, body: Buffer): AudioTag {
  if (body.toString('latin1', 1, 5) !== 'Opus') throw new StreamEnded('unsupported_audio')
  const data = body.subarray(5)
  if (data.length === 0) return { kind: 'other' }
  if (type === SEQUENCE_START) return { kind: 'config', codec: 'opus', data }
  return type === CODED_FRAMES ? { kind: 'frame', data } : { kind: 'other' }
}
