import { StreamEnded } from '../refusals.ts'

/** Types of RTMP messages (RTMP 1.0, sections 5.4 and 7.1). */
export const messageTypes = {
  setChunkSize: 1,
  abort: 2,
  acknowledgement: 3,
  userControl: 4,
  windowSize: 5,
  peerBandwidth: 6,
  audio: 8,
  video: 9,
  dataAmf3: 15,
  commandAmf3: 17,
  data: 18,
  command: 20,
} as const

/** One message. `timestamp` is in milliseconds and wraps at 32 bits. */
export type Message = { type: number; streamId: number; timestamp: number; body: Buffer }

/** Limits of what a connection may have in memory: `totalBytes` of all messages that are being received. */
export type ChunkLimits = { messageBytes: number; totalBytes: number; chunkStreams: number }

type ChunkStream = {
  timestamp: number
  delta: number
  length: number
  type: number
  streamId: number
  isExtended: boolean
  /** The message that is being received; null between messages. */
  body: Buffer | null
  received: number
}

const EXTENDED = 0xff_ff_ff
const DEFAULT_CHUNK_BYTES = 128
/** Encoders raise the size; smaller chunks would only cost time. */
const MIN_CHUNK_BYTES = 128
const MAX_CHUNK_BYTES = 1024 * 1024

/** Sizes of message headers, by the two bits of their format. */
const headerBytes = [11, 7, 3, 0] as const

/** Puts the messages of a connection together from chunks (RTMP 1.0, section 5.3). */
export class ChunkReader {
  /** The beginning of a header. */
  #pending: Buffer = Buffer.alloc(0)
  #chunkBytes = DEFAULT_CHUNK_BYTES
  /** The chunk that is being received, and its bytes that are missing. */
  #chunk: { stream: ChunkStream; left: number } | undefined
  /** Bytes of all messages that are being received. */
  #reserved = 0
  readonly #streams = new Map<number, ChunkStream>()
  #limits: ChunkLimits

  constructor(limits: ChunkLimits) {
    this.#limits = limits
  }

  /** Changes the limits, once the sender is known. */
  set limits(limits: ChunkLimits) {
    this.#limits = limits
  }

  /** The messages that are complete with these bytes. Each takes effect before the next is read. */
  *push(bytes: Buffer): Generator<Message> {
    this.#pending = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes])
    for (;;) {
      this.#chunk ??= this.#beginChunk()
      if (!this.#chunk) break
      const isWhole = this.#receive(this.#chunk)
      if (!isWhole) break
      const message = this.#complete(this.#chunk.stream)
      this.#chunk = undefined
      if (!message) continue
      this.#apply(message)
      yield message
    }
    // a copy: the bytes of the socket would otherwise stay in memory with it
    this.#pending = Buffer.from(this.#pending)
  }

  /** Reads the header of a chunk; undefined if its bytes are not complete yet. */
  #beginChunk(): { stream: ChunkStream; left: number } | undefined {
    const bytes = this.#pending
    const basic = readBasicHeader(bytes)
    if (!basic) return undefined
    let { at } = basic
    const size = headerBytes[basic.format]
    if (bytes.length < at + size) return undefined
    const known = this.#streams.get(basic.id)
    if (!known && (basic.format !== 0 || this.#streams.size >= this.#limits.chunkStreams))
      throw new StreamEnded('protocol')
    const header = readHeader(bytes.subarray(at, at + size), known)
    at += size
    let time = header.time
    if (header.isExtended) {
      if (bytes.length < at + 4) return undefined
      time = bytes.readUInt32BE(at)
      at += 4
    }
    if (header.length > this.#limits.messageBytes) throw new StreamEnded('protocol')
    const stream = this.#continue(basic, known, header, time)
    this.#pending = bytes.subarray(at)
    return { stream, left: Math.min(this.#chunkBytes, stream.length - stream.received) }
  }

  /** Copies bytes of a chunk into its message. Returns whether these were all. */
  #receive(chunk: { stream: ChunkStream; left: number }): boolean {
    const { stream } = chunk
    const count = Math.min(chunk.left, this.#pending.length)
    if (count > 0) stream.body?.set(this.#pending.subarray(0, count), stream.received)
    this.#pending = this.#pending.subarray(count)
    stream.received += count
    chunk.left -= count
    return chunk.left === 0
  }

  /** The message of a stream, if it is complete. */
  #complete(stream: ChunkStream): Message | undefined {
    const { type, streamId, timestamp, body, received } = stream
    if (!body || received < body.length) return undefined
    this.#release(stream)
    return { type, streamId, timestamp, body }
  }

  #reserve(bytes: number): Buffer {
    this.#reserved += bytes
    if (this.#reserved > this.#limits.totalBytes) throw new StreamEnded('protocol')
    return Buffer.allocUnsafe(bytes)
  }

  #release(stream: ChunkStream): void {
    this.#reserved -= stream.body?.length ?? 0
    stream.body = null
  }

  #continue(
    { id, format }: { id: number; format: number },
    known: ChunkStream | undefined,
    { length, type, streamId, isExtended }: Header,
    time: number,
  ): ChunkStream {
    const stream: ChunkStream = known ?? {
      timestamp: 0,
      delta: 0,
      length,
      type,
      streamId,
      isExtended,
      body: null,
      received: 0,
    }
    if (stream.body && format !== 3) throw new StreamEnded('protocol')
    if (!stream.body) {
      if (format === 0) {
        stream.timestamp = time
        stream.delta = 0
      } else {
        if (format !== 3) stream.delta = time
        stream.timestamp = (stream.timestamp + stream.delta) >>> 0
      }
      Object.assign(stream, { length, type, streamId, isExtended, body: this.#reserve(length), received: 0 })
    }
    this.#streams.set(id, stream)
    return stream
  }

  #apply({ type, body }: Message): void {
    if (type === messageTypes.setChunkSize) {
      const size = body.length >= 4 ? body.readUInt32BE() : 0
      if (size < MIN_CHUNK_BYTES || size > MAX_CHUNK_BYTES) throw new StreamEnded('protocol')
      this.#chunkBytes = size
    }
    if (type === messageTypes.abort && body.length >= 4) {
      const stream = this.#streams.get(body.readUInt32BE())
      if (stream) this.#release(stream)
    }
  }
}

function readBasicHeader(bytes: Buffer): { format: 0 | 1 | 2 | 3; id: number; at: number } | undefined {
  const first = bytes[0]
  if (first === undefined) return undefined
  const format = (first >> 6) as 0 | 1 | 2 | 3
  const low = first & 0x3f
  if (low >= 2) return { format, id: low, at: 1 }
  const at = low + 2
  if (bytes.length < at) return undefined
  return { format, id: 64 + bytes.readUIntLE(1, low + 1), at }
}

type Header = { time: number; length: number; type: number; streamId: number; isExtended: boolean }

/** Fields that the header leaves out are those of the chunk before. */
function readHeader(bytes: Buffer, known: ChunkStream | undefined): Header {
  const stated = bytes.length >= 3 ? bytes.readUIntBE(0, 3) : undefined
  return {
    time: stated ?? 0,
    isExtended: stated === undefined ? (known?.isExtended ?? false) : stated === EXTENDED,
    length: bytes.length >= 7 ? bytes.readUIntBE(3, 3) : (known?.length ?? 0),
    type: bytes.length >= 7 ? bytes.readUInt8(6) : (known?.type ?? 0),
    streamId: bytes.length >= 11 ? bytes.readUInt32LE(7) : (known?.streamId ?? 0),
  }
}

/** Size of the chunks that `writeMessage` writes, which the peer must know. */
export const SENT_CHUNK_BYTES = 4096

/** Writes a message as chunks on a chunk stream below 64. */
export function writeMessage(
  { type, streamId, body }: Omit<Message, 'timestamp'>,
  chunkStream: number,
  chunkBytes = SENT_CHUNK_BYTES,
): Buffer {
  const header = Buffer.alloc(12)
  header.writeUInt8(chunkStream)
  header.writeUIntBE(body.length, 4, 3)
  header.writeUInt8(type, 7)
  header.writeUInt32LE(streamId, 8)
  const parts = [header, body.subarray(0, chunkBytes)]
  for (let at = chunkBytes; at < body.length; at += chunkBytes)
    parts.push(Buffer.from([0xc0 | chunkStream]), body.subarray(at, at + chunkBytes))
  return Buffer.concat(parts)
}
