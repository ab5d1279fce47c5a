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

  /** Whether the video can be copied: there is an init segment, and what the index calls keyframes are keyframes. */
  async takesVideo(track: InputVideoTrack, cutsMicros: number[]): Promise<boolean> {
    const packets = await this.video()
    if (!packets) return false
    for (let tried = 0; tried <= TRIED_CUTS; tried++) {
      const cut = cutsMicros[Math.floor(((cutsMicros.length - 1) * tried) / TRIED_CUTS)]
      if (cut === undefined || !(await isKeyAt(packets, track, cut / 1e6))) return false
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
 * Whether the frame at a time is a keyframe. Its coded bits decide. A damaged or blank frame, whose bits tell nothing,
 * counts as a keyframe: damage is measured when a segment is requested.
 */
async function isKeyAt(packets: PacketReader, track: InputVideoTrack, seconds: number): Promise<boolean> {
  const packet = await packets.keyAt(seconds + LOOKUP_SLACK_SECONDS)
  if (!packet || Math.abs(packet.timestamp - seconds) > LOOKUP_SLACK_SECONDS) return false
  const bytes = await packets.bytesOf(packet)
  if (bytes.length >= BLANK_BYTES && bytes.subarray(0, BLANK_BYTES).every((byte) => byte === 0)) return true
  const whole = new EncodedPacket(bytes, 'key', packet.timestamp, packet.duration)
  return bytes.length > 0 && (await track.determinePacketType(whole)) !== 'delta'
}
