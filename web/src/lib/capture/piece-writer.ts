import { type PieceMessage, writePiece } from '@kinora/contract/live/live-pieces.ts'
import type { EncodedPacket } from 'mediabunny'
import type { PacketSink } from './codec-encoder.ts'

/** Types and codecs of FLV tags: H.264, AAC, and Opus as in Enhanced RTMP. */
const keyFrame = 0x17
const interFrame = 0x27
const aac = 0xaf
const opusStart = 0x90
const opusFrames = 0x91
const opus = [0x4f, 0x70, 0x75, 0x73]

const join = (header: readonly number[], data: Uint8Array) => {
  const bytes = new Uint8Array(header.length + data.length)
  bytes.set(header)
  bytes.set(data, header.length)
  return bytes
}

const milliseconds = ({ timestamp }: EncodedPacket) => Math.max(0, Math.round(timestamp * 1000))

/**
 * Joins packets of an encoder to pieces of a live stream, each from a keyframe to the next. Each has the configurations of its
 * tracks, so that it can be read without those before.
 */
export class PieceWriter implements PacketSink {
  readonly #onPiece: (piece: Uint8Array<ArrayBuffer>) => void
  #pictures: PieceMessage | undefined
  #sounds: PieceMessage | undefined
  #waiting: PieceMessage[] = []
  /** Time of the last picture. */
  #lastMs = 0
  #hasPicture = false

  constructor(onPiece: (piece: Uint8Array<ArrayBuffer>) => void) {
    this.#onPiece = onPiece
  }

  addPicture(packet: EncodedPacket, configuration: Uint8Array | undefined): void {
    const timestamp = milliseconds(packet)
    if (configuration)
      this.#pictures = { kind: 'video', timestamp: 0, body: join([keyFrame, 0, 0, 0, 0], configuration) }
    const isKey = packet.type === 'key'
    if (isKey && this.#hasPicture) this.#end(timestamp, false)
    // nothing can be shown before the first keyframe
    if (!isKey && !this.#hasPicture) return
    this.#hasPicture = true
    this.#lastMs = timestamp
    const body = join([isKey ? keyFrame : interFrame, 1, 0, 0, 0], packet.data)
    this.#waiting.push({ kind: 'video', timestamp, body })
  }

  addSound(packet: EncodedPacket, configuration: Uint8Array | undefined, codec: 'aac' | 'opus'): void {
    const [start, frame] =
      codec === 'aac'
        ? [
            [aac, 0],
            [aac, 1],
          ]
        : [
            [opusStart, ...opus],
            [opusFrames, ...opus],
          ]
    if (configuration) this.#sounds = { kind: 'audio', timestamp: 0, body: join(start, configuration) }
    this.#waiting.push({ kind: 'audio', timestamp: milliseconds(packet), body: join(frame, packet.data) })
  }

  /** Writes the rest: the last piece of the stream. */
  finish(): void {
    this.#end(this.#lastMs + 1, true)
  }

  #end(endMs: number, isLast: boolean): void {
    const [first] = this.#waiting
    const configurations = [this.#pictures, this.#sounds].filter((each) => each !== undefined)
    const messages = first
      ? [...configurations.map((each) => ({ ...each, timestamp: first.timestamp })), ...this.#waiting]
      : []
    this.#waiting = []
    this.#onPiece(writePiece({ endMs, isLast, messages }))
  }
}
