import { StreamEnded } from '../refusals.ts'
import { BitReader } from './bits.ts'
import type { AudioCodec } from './tags.ts'

/** Contents of the configuration of an H.264 track. `data` is the `avcC` record. */
export type VideoConfig = { data: Buffer; codecString: string; width: number; height: number }

/** Contents of the configuration of an audio track. `data` is the AudioSpecificConfig of AAC, or the OpusHead of Opus. */
export type AudioConfig = {
  codec: AudioCodec
  data: Buffer
  codecString: string
  sampleRate: number
  channels: number
  /** Samples of a frame. */
  frameSamples: number
  /** Silence for one frame, where it is known for this configuration. */
  silence: Buffer | undefined
}

/** Baseline, Main and High: what browsers play. */
const playableProfiles = [66, 77, 100]
const MAX_SIDE = 8192

/** Parses an AVCDecoderConfigurationRecord (ISO 14496-15, 5.3.3.1). Throws `StreamEnded` for what browsers cannot play. */
export function parseVideoConfig(data: Buffer): VideoConfig {
  const setLength = data.length >= 8 ? data.readUInt16BE(6) : 0
  const set = data.subarray(8, 8 + setLength)
  const lengthBytes = ((data[4] ?? 0) & 3) + 1
  const count = (data[5] ?? 0) & 0x1f
  if (data[0] !== 1 || count < 1 || lengthBytes !== 4 || set.length < 4 || set.length !== setLength)
    throw new StreamEnded('unsupported_video')
  const { width, height } = parseParameterSet(set)
  const codecString = `avc1.${data.subarray(1, 4).toString('hex')}`
  return { data: Buffer.from(data), codecString, width, height }
}

/** Width and height of a sequence parameter set (H.264, 7.3.2.1.1). */
function parseParameterSet(set: Buffer): { width: number; height: number } {
  const bits = new BitReader(withoutEmulation(set.subarray(1)), 'unsupported_video')
  const profile = bits.bits(8)
  if (!playableProfiles.includes(profile)) throw new StreamEnded('not_playable')
  bits.bits(16)
  bits.unsigned()
  if (profile === 100) readHighFields(bits)
  bits.unsigned()
  readOrder(bits)
  bits.unsigned()
  bits.flag()
  const macroblocksWide = bits.unsigned() + 1
  const mapUnitsHigh = bits.unsigned() + 1
  const isProgressive = bits.flag()
  if (!isProgressive) throw new StreamEnded('not_playable')
  bits.flag()
  const isCropped = bits.flag()
  const [left, right, top, bottom] = Array.from({ length: 4 }, () => (isCropped ? bits.unsigned() * 2 : 0))
  const width = macroblocksWide * 16 - (left ?? 0) - (right ?? 0)
  const height = mapUnitsHigh * 16 - (top ?? 0) - (bottom ?? 0)
  if (width < 16 || height < 16 || width > MAX_SIDE || height > MAX_SIDE)
    throw new StreamEnded('not_playable')
  return { width, height }
}

/** Only 4:2:0 with eight bits is played everywhere. */
function readHighFields(bits: BitReader): void {
  const chroma = bits.unsigned()
  const depths = [bits.unsigned(), bits.unsigned()]
  if (chroma !== 1 || depths.some((depth) => depth !== 0)) throw new StreamEnded('not_playable')
  bits.flag()
  if (!bits.flag()) return
  for (let list = 0; list < 8; list++) if (bits.flag()) skipScalingList(bits, list < 6 ? 16 : 64)
}

function skipScalingList(bits: BitReader, size: number): void {
  let [last, next] = [8, 8]
  for (let i = 0; i < size; i++) {
    if (next !== 0) next = (last + bits.signed() + 256) % 256
    if (next !== 0) last = next
  }
}

function readOrder(bits: BitReader): void {
  const type = bits.unsigned()
  if (type === 0) bits.unsigned()
  if (type !== 1) return
  bits.flag()
  bits.signed()
  bits.signed()
  const count = bits.unsigned()
  if (count > 255) throw new StreamEnded('unsupported_video')
  for (let i = 0; i < count; i++) bits.signed()
}

/** Without the bytes that keep start codes out of the data (H.264, 7.4.1). */
function withoutEmulation(bytes: Buffer): Buffer {
  return Buffer.from(
    bytes.filter((byte, i) => !(byte === 3 && i > 1 && bytes[i - 1] === 0 && bytes[i - 2] === 0)),
  )
}

const sampleRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
]
const LOW_COMPLEXITY = 2
const HIGH_EFFICIENCY = [5, 29]

/** Frames of silence of AAC-LC, by the number of channels. */
const silences = [Buffer.from('00c800802380', 'hex'), Buffer.from('210049900219002380', 'hex')]

/** Parses the configuration of an audio track. Throws `StreamEnded` for what cannot be recorded. */
export const parseAudioConfig = (codec: AudioCodec, data: Buffer): AudioConfig =>
  codec === 'aac' ? parseAacConfig(data) : parseOpusConfig(data)

/** Parses an AudioSpecificConfig (ISO 14496-3, 1.6.2.1). Throws `StreamEnded` for anything but AAC of one or two channels and surround. */
function parseAacConfig(data: Buffer): AudioConfig {
  const bits = new BitReader(data, 'unsupported_audio')
  const objectType = bits.bits(5)
  const index = bits.bits(4)
  const sampleRate = index === 15 ? bits.bits(24) : sampleRates[index]
  const channels = bits.bits(4)
  const isKnown = objectType === LOW_COMPLEXITY || HIGH_EFFICIENCY.includes(objectType)
  if (
    !isKnown ||
    sampleRate === undefined ||
    sampleRate < 7350 ||
    sampleRate > 96_000 ||
    channels < 1 ||
    channels > 7
  )
    throw new StreamEnded('unsupported_audio')
  return {
    codec: 'aac',
    frameSamples: 1024,
    data: Buffer.from(data),
    codecString: `mp4a.40.${objectType}`,
    sampleRate,
    channels: channels === 7 ? 8 : channels,
    silence: objectType === LOW_COMPLEXITY ? silences[channels - 1] : undefined,
  }
}

const OPUS_HEAD_BYTES = 19
/** 20 ms at 48 kHz, the frames of all encoders in browsers. */
const OPUS_FRAME = 960
/** A frame without sound, in stereo streams, too. */
const opusSilence = Buffer.from('f8fffe', 'hex')

/** Parses an identification header (RFC 7845, 5.1) of one or two channels. Opus always has 48 kHz. */
function parseOpusConfig(data: Buffer): AudioConfig {
  const isHead = data.length === OPUS_HEAD_BYTES && data.toString('latin1', 0, 8) === 'OpusHead'
  const channels = data[9] ?? 0
  if (!isHead || data[8] !== 1 || channels < 1 || channels > 2 || data[18] !== 0)
    throw new StreamEnded('unsupported_audio')
  return {
    codec: 'opus',
    frameSamples: OPUS_FRAME,
    data: Buffer.from(data),
    codecString: 'opus',
    sampleRate: 48_000,
    channels,
    silence: opusSilence,
  }
}

/** Samples at 48 kHz of each configuration of Opus, by the first five bits of a packet (RFC 6716, 3.1). */
const opusFrames = [480, 960, 1920, 2880]
const celtFrames = [120, 240, 480, 960]

/** Samples of an Opus packet at 48 kHz. */
export function opusSamples(packet: Buffer): number {
  const first = packet[0] ?? 0
  const configuration = first >> 3
  const perFrame =
    configuration < 12
      ? opusFrames[configuration % 4]
      : configuration < 16
        ? opusFrames[configuration % 2]
        : celtFrames[configuration % 4]
  const code = first & 3
  const count = code === 0 ? 1 : code < 3 ? 2 : (packet[1] ?? 0) & 0x3f
  return (perFrame ?? 0) * count
}
