import { EncodedPacket, type InputVideoTrack } from 'mediabunny'
import type { PacketReader } from '../containers/packets.ts'
import type { SourceBytes } from '../source/source-bytes.ts'
import { SourceTracks } from '../containers/source-tracks.ts'
import { isNextCut, LOOKUP_SLACK_SECONDS, MAX_REORDERED_FRAMES } from '../plan/stream-index.ts'

/** Number of equal steps from the first cut to the last; the cut at each step is inspected. */
const TRIED_CUTS = 8

/** Tests whether a source can be remuxed, with the code that remuxes it later. */
export class RemuxTrial {
  readonly #tracks: SourceTracks

  constructor(bytes: SourceBytes) {
    this.#tracks = new SourceTracks(bytes)
  }

  [Symbol.dispose](): void {
    this.#tracks.close()
  }

  /** Packets of the video track as remuxing would copy them; undefined if it cannot be copied. */
  async video(): Promise<PacketReader | undefined> {
    // Any failure to read the track means that it is encoded instead.
    const copied = await this.#tracks.video().catch(() => undefined)
    return copied?.packets
  }

  /** Packets of an audio track; `position` counts audio tracks only. */
  async audio(position: number): Promise<PacketReader | undefined> {
    // Any failure to read the track means that it is encoded instead.
    const copied = await this.#tracks.audio(position).catch(() => undefined)
    return copied?.packets
  }

  /**
   * Selects keyframes, a segment apart, at which the source can be cut: those of closed groups of pictures. In an open
   * group a frame after the keyframe in the file is presented before it, and needs frames before the keyframe to be
   * decoded.
   */
  async findCuts(keys: number[]): Promise<number[]> {
    const { packets } = await this.#tracks.video()
    const cuts: number[] = []
    for (const key of keys) {
      if (isNextCut(key, cuts.at(-1)) && (await isClosedAt(packets, key))) cuts.push(key)
    }
    return cuts
  }

  /**
   * Whether the video can be copied: there is an init segment, what the index calls keyframes are keyframes, and none of
   * them changes the format. Players stretch a picture of another shape, or stop at it.
   */
  async takesVideo(track: InputVideoTrack, cutsMicros: number[]): Promise<boolean> {
    const packets = await this.video()
    if (!packets) return false
    let format: string | undefined
    for (let tried = 0; tried <= TRIED_CUTS; tried++) {
      const cut = cutsMicros[Math.floor(((cutsMicros.length - 1) * tried) / TRIED_CUTS)]
      const bytes = cut === undefined ? undefined : await keyframeAt(packets, track, cut / 1e6)
      if (!bytes) return false
      const stated = statedFormat(track.codec, bytes)
      if (stated !== undefined && stated !== (format ??= stated)) return false
    }
    return true
  }

  /**
   * Whether the audio can be copied: there is an init segment, and the frames are in the file. Players stop at missing
   * frames; an encoder fills them with silence. `position` counts audio tracks only.
   */
  async takesAudio(position: number): Promise<boolean> {
    const packets = await this.audio(position)
    return (await packets?.isComplete().catch(() => false)) ?? false
  }
}

async function isClosedAt(packets: PacketReader, seconds: number): Promise<boolean> {
  const key = await packets.keyAt(seconds + LOOKUP_SLACK_SECONDS)
  if (!key) return false
  let inspected = 0
  for await (const { timestamp, byteLength } of packets.list(key, null)) {
    if (byteLength > 0 && timestamp < key.timestamp) return false
    if ((inspected += 1) > MAX_REORDERED_FRAMES) break
  }
  return true
}

/** No frame begins with so many zeros. The unfilled space of an unfinished download does. */
const BLANK_BYTES = 16

/**
 * Bytes of the keyframe at a time; undefined if there is none. Its coded bits decide. A damaged or blank frame, whose bits
 * tell nothing, counts as a keyframe: damage is measured when a segment is requested.
 */
async function keyframeAt(
  packets: PacketReader,
  track: InputVideoTrack,
  seconds: number,
): Promise<Uint8Array | undefined> {
  const packet = await packets.keyAt(seconds + LOOKUP_SLACK_SECONDS)
  if (!packet || Math.abs(packet.timestamp - seconds) > LOOKUP_SLACK_SECONDS) return undefined
  const bytes = await packets.bytesOf(packet)
  if (isBlank(bytes)) return bytes
  const whole = new EncodedPacket(bytes, 'key', packet.timestamp, packet.duration)
  const isKey = bytes.length > 0 && (await track.determinePacketType(whole)) !== 'delta'
  return isKey ? bytes : undefined
}

const isBlank = (bytes: Uint8Array) =>
  bytes.length >= BLANK_BYTES && bytes.subarray(0, BLANK_BYTES).every((byte) => byte === 0)

const SEQUENCE_PARAMETER_SET = 7

/** Format that a keyframe states, to be compared with that of another one; undefined if it states none. */
function statedFormat(codec: string | null, bytes: Uint8Array): string | undefined {
  const frame = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  // Start code, colours and size, up to the first four bits of byte 8.
  if (codec === 'vp9' && frame.length > 8 && frame.readUIntBE(1, 3) === 0x498342)
    return `${frame.toString('hex', 4, 8)}${frame.readUInt8(8) >> 4}`
  if (codec !== 'avc') return undefined
  for (let at = 0; at + 4 < frame.length; at += 4 + frame.readUInt32BE(at)) {
    if ((frame.readUInt8(at + 4) & 0x1f) === SEQUENCE_PARAMETER_SET)
      return frame.toString('hex', at + 4, at + 4 + frame.readUInt32BE(at))
  }
  return undefined
}
