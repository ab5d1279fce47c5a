import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import { findBox, readBoxes, readTimescale } from '@kinora/media/containers/mp4/fmp4.ts'
import type { AudioConfig, VideoConfig } from '../flv/configs.ts'

/** Track numbers in the recording. */
export const VIDEO_TRACK = 1
export const AUDIO_TRACK = 2

/** The beginning of a recording: `ftyp` and `moov` of its tracks. */
export async function writeInit(
  video: VideoConfig,
  audio: AudioConfig | undefined,
): Promise<{ init: Buffer; videoTimescale: number }> {
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'fragmented' }), target })
  const pictures = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(pictures)
  const sounds = audio && new EncodedAudioPacketSource(audio.codec)
  if (sounds) output.addAudioTrack(sounds)
  await output.start()
  const packet = () => new EncodedPacket(new Uint8Array([0, 0, 0, 1, 0]), 'key', 0, 0.02)
  await pictures.add(packet(), {
    decoderConfig: {
      codec: video.codecString,
      description: video.data,
      codedWidth: video.width,
      codedHeight: video.height,
    },
  })
  await sounds?.add(packet(), {
    decoderConfig: {
      codec: audio?.codecString ?? '',
      description: audio ? descriptionOf(audio) : new Uint8Array(),
      sampleRate: audio?.sampleRate ?? 0,
      numberOfChannels: audio?.channels ?? 0,
    },
  })
  await output.finalize()
  const bytes = Buffer.from(target.buffer ?? new ArrayBuffer())
  const moov = findBox(bytes, 'moov')
  if (!moov) throw new Error('no init segment was written')
  const init = Buffer.from(bytes.subarray(0, moov.end))
  return { init, videoTimescale: readTimescale(init) }
}

/** Browsers refuse Opus that was recorded at another rate than that of its track, which is always 48 kHz. */
function descriptionOf({ codec, data, sampleRate }: AudioConfig): Buffer {
  if (codec !== 'opus') return data
  const head = Buffer.from(data)
  head.writeUInt32LE(sampleRate, 12)
  return head
}

/** The init segment of one track of a recording. */
export function initOfTrack(init: Buffer, track: number): Buffer {
  const moov = findBox(init, 'moov')
  if (!moov) throw new Error('a recording without moov')
  const isOther = (type: string, bytes: Buffer) =>
    (type === 'trak' && trackOf(bytes) !== track) || (type === 'trex' && bytes.readUInt32BE(12) !== track)
  return Buffer.concat([
    init.subarray(0, moov.start),
    filterBox(init.subarray(moov.start, moov.end), isOther),
  ])
}

/** A container box without some of the boxes in it, at any depth of `mvex`. */
function filterBox(box: Buffer, isLeftOut: (type: string, bytes: Buffer) => boolean): Buffer {
  const parts: Buffer[] = [box.subarray(0, 8)]
  for (const { type, start, end } of readBoxes(box, 8)) {
    const bytes = box.subarray(start, end)
    if (isLeftOut(type, bytes)) continue
    parts.push(type === 'mvex' ? filterBox(bytes, isLeftOut) : bytes)
  }
  const filtered = Buffer.concat(parts)
  filtered.writeUInt32BE(filtered.length)
  return filtered
}

function trackOf(trak: Buffer): number {
  const tkhd = findBox(trak, 'trak/tkhd')
  if (!tkhd) return 0
  // version 1 has times of eight bytes
  return trak.readUInt32BE(tkhd.content + (trak[tkhd.content] === 1 ? 20 : 12))
}
