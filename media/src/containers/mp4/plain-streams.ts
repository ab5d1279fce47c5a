import type { SourceRanges } from '../../source/source-bytes.ts'
import { type AvcSps, readAvcSps } from './avc-sps.ts'
import { BoxReader } from './boxes.ts'
import { findBox, readBoxes } from './fmp4.ts'

/** A stream as ffprobe describes it. */
export interface PlainStream {
  index: number
  codec_type: 'video' | 'audio'
  codec_name: 'h264' | 'aac'
  profile?: string
  width?: number
  height?: number
  pix_fmt?: string
  bits_per_raw_sample?: string
  color_space?: string
  color_primaries?: string
  color_transfer?: string
  r_frame_rate?: string
  sample_rate?: number
  channels?: number
  disposition: { default: number }
  tags: { language: string }
}

const maxMovieBytes = 16 * 2 ** 20
/** 65536 times one, without a turn. */
const identity = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000]
/** Names that ffprobe has for ISO/IEC 23091-2. */
const colorNames: Readonly<Record<number, string>> = {
  1: 'bt709',
  2: 'unknown',
  5: 'bt470bg',
  6: 'smpte170m',
}
/** Transfers and primaries with the same number have the same name, but for this one, which is no transfer. */
const noTransfer = 5

/**
 * Describes the streams of an MP4 as most programs write them, without decoding anything: one H.264 video that is neither
 * turned nor interlaced, and at most one track of AAC. Undefined for all other files: ffprobe describes those.
 */
export async function describePlainMp4(file: SourceRanges): Promise<PlainStream[] | undefined> {
  const movie = await readMovie(file)
  if (!movie || findBox(movie, 'mvex') || findBox(movie, 'udta/chpl')) return undefined
  const tracks = [...readBoxes(movie)].filter(({ type }) => type === 'trak')
  const streams = tracks.map(({ content, end }, index) => describeTrack(movie.subarray(content, end), index))
  const ofType = (type: PlainStream['codec_type']) =>
    streams.filter((stream) => stream?.codec_type === type).length
  if (ofType('video') !== 1 || ofType('audio') > 1) return undefined
  return streams.every((stream) => stream !== undefined) ? streams : undefined
}

async function readMovie(file: SourceRanges): Promise<Buffer | undefined> {
  const boxes = new BoxReader(file)
  for await (const { type, content, end } of boxes.children(0, file.sizeBytes))
    if (type === 'moov') return end - content > maxMovieBytes ? undefined : boxes.read(content, end - content)
  return undefined
}

function describeTrack(track: Buffer, index: number): PlainStream | undefined {
  const part = (path: string) => {
    const box = findBox(track, path)
    return box && track.subarray(box.content, box.end)
  }
  const [header, media] = [part('tkhd'), part('mdia/mdhd')]
  const descriptions = part('mdia/minf/stbl/stsd')
  const handler = part('mdia/hdlr')?.toString('latin1', 8, 12)
  if (!header || !media || descriptions?.readUInt32BE(4) !== 1) return undefined
  const stream = {
    index,
    disposition: { default: (header[3] ?? 0) & 1 },
    tags: { language: languageOf(media.readUInt16BE(media[0] === 1 ? 32 : 20)) },
  }
  const description = descriptions.subarray(8)
  if (handler === 'soun') return describeAac(description, stream)
  const matrixAt = header[0] === 1 ? 52 : 40
  const isTurned = identity.some((value, n) => header.readUInt32BE(matrixAt + 4 * n) !== value)
  const rate = frameRateOf(media, part('mdia/minf/stbl/stts'))
  if (handler !== 'vide' || isTurned || rate === undefined) return undefined
  return describeAvc(description, { ...stream, r_frame_rate: rate })
}

/** Three letters of five bits each. */
const languageOf = (packed: number) =>
  String.fromCharCode(...[10, 5, 0].map((shift) => 0x60 + ((packed >> shift) & 31)))

/** Frames per second where each frame lasts equally long. */
function frameRateOf(media: Buffer, durations: Buffer | undefined): string | undefined {
  if (durations?.readUInt32BE(4) !== 1) return undefined
  const [ticks, each] = [media.readUInt32BE(media[0] === 1 ? 20 : 12), durations.readUInt32BE(12)]
  const divisor = commonDivisor(ticks, each)
  return divisor === 0 ? undefined : `${ticks / divisor}/${each / divisor}`
}

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b))

type Known = Pick<PlainStream, 'index' | 'disposition' | 'tags' | 'r_frame_rate'>

/** Fields of a sample entry before the boxes inside. */
const visualBytes = 86
const soundBytes = 36

function describeAvc(entry: Buffer, known: Known): PlainStream | undefined {
  if (entry.toString('latin1', 4, 8) !== 'avc1') return undefined
  const inner = [...readBoxes(entry, visualBytes)]
  if (inner.some(({ type }) => !['avcC', 'btrt', 'colr', 'pasp'].includes(type))) return undefined
  const [config, pixels, stated] = ['avcC', 'pasp', 'colr'].map((type) =>
    inner.find((box) => box.type === type),
  )
  if (!config || (pixels && entry.readUInt32BE(pixels.content) !== entry.readUInt32BE(pixels.content + 4)))
    return undefined
  const at = config.content + 6
  const sets = (entry[at - 1] ?? 0) & 31
  const sps = sets === 1 ? readAvcSps(entry.subarray(at + 2, at + 2 + entry.readUInt16BE(at))) : undefined
  const colors = sps && colorsOf(sps)
  if (!sps || !colors || (stated && !areSameColors(entry.subarray(stated.content, stated.end), sps)))
    return undefined
  const { profile, width, height } = sps
  const pixelFormat = { pix_fmt: 'yuv420p', bits_per_raw_sample: '8' }
  return {
    ...known,
    codec_type: 'video',
    codec_name: 'h264',
    profile,
    width,
    height,
    ...pixelFormat,
    ...colors,
  }
}

/** Whether a `colr` box states the colors of the frames: what differs is for ffprobe. */
function areSameColors(box: Buffer, { colors }: AvcSps): boolean {
  if (!colors || box.length !== 11 || box.toString('latin1', 0, 4) !== 'nclx' || box[10] !== 0) return false
  const { primaries, transfer, matrix } = colors
  return [primaries, transfer, matrix].every((each, n) => box.readUInt16BE(4 + 2 * n) === each)
}

function colorsOf({ colors }: AvcSps): Partial<PlainStream> | undefined {
  if (!colors) return {}
  const { primaries, transfer, matrix } = colors
  const [color_primaries, color_transfer, color_space] = [primaries, transfer, matrix].map(
    (each) => colorNames[each],
  )
  if (color_primaries === undefined || color_transfer === undefined || color_space === undefined)
    return undefined
  return transfer === noTransfer ? undefined : { color_primaries, color_transfer, color_space }
}

const sampleRates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000]
const lowComplexity = 2
const withoutSbr = '56e500'

/** AAC-LC in mono or stereo. Lower rates may have a band that is not stated (SBR), which doubles them. */
function describeAac(entry: Buffer, known: Known): PlainStream | undefined {
  if (entry.toString('latin1', 4, 8) !== 'mp4a' || entry.readUInt16BE(16) !== 0) return undefined
  const inner = [...readBoxes(entry, soundBytes)].find(({ type }) => type === 'esds')
  const config = inner && readDecoderConfig(entry.subarray(inner.content + 4, inner.end))
  if (!config) return undefined
  const bits = (config[0] ?? 0) * 256 + (config[1] ?? 0)
  const sampleRate = sampleRates[(bits >> 7) & 15]
  const channels = (bits >> 3) & 15
  if (bits >> 11 !== lowComplexity || sampleRate === undefined || channels < 1 || channels > 2)
    return undefined
  // other bytes than these, which deny it, announce SBR
  if (!['', withoutSbr].includes(config.toString('hex', 2))) return undefined
  return { ...known, codec_type: 'audio', codec_name: 'aac', sample_rate: sampleRate, channels }
}

const [elementary, decoder, specific] = [3, 4, 5]

/** The configuration of the decoder in an `esds` box (ISO/IEC 14496-1, 7.2.6). */
function readDecoderConfig(descriptors: Buffer): Buffer | undefined {
  let at = 0
  while (at < descriptors.length) {
    const tag = descriptors[at++]
    let size = 0
    let byte
    do {
      byte = descriptors[at++] ?? 0
      size = (size << 7) | (byte & 127)
    } while (byte & 128)
    if (tag === specific) return descriptors.subarray(at, at + size)
    // flags would announce further fields
    if (tag === elementary && descriptors[at + 2] === 0) at += 3
    else if (tag === decoder && descriptors[at] === 0x40) at += 13
    else return undefined
  }
  return undefined
}
