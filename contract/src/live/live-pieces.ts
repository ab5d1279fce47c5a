/** A piece of a stream from a browser: what was encoded from a keyframe to the next. */
export interface LivePiece {
  /** Time of the keyframe after it, in milliseconds on the clock of its messages. */
  endMs: number
  /** Whether the stream ends with it. */
  isLast: boolean
  messages: PieceMessage[]
}

/** The body of an FLV tag, as encoders send it by RTMP. */
export interface PieceMessage {
  kind: 'audio' | 'video'
  /** Milliseconds. */
  timestamp: number
  body: Uint8Array
}

/** The server takes no larger piece. */
export const livePieceMaxBytes = 8 * 1024 ** 2

/** How long a browser keeps pieces while there is no connection: a stream waits for as long. */
export const livePieceWaitSeconds = 60

const VERSION = 1
/** Version, flags, end. */
const HEADER_BYTES = 6
/** Type, timestamp, length. */
const MESSAGE_HEADER_BYTES = 9
const LAST = 1
/** Types of FLV tags. */
const types = { audio: 8, video: 9 } as const

export function writePiece({ endMs, isLast, messages }: LivePiece): Uint8Array<ArrayBuffer> {
  const size = messages.reduce((sum, { body }) => sum + MESSAGE_HEADER_BYTES + body.length, HEADER_BYTES)
  const bytes = new Uint8Array(size)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, VERSION)
  view.setUint8(1, isLast ? LAST : 0)
  view.setUint32(2, endMs)
  let at = HEADER_BYTES
  for (const { kind, timestamp, body } of messages) {
    view.setUint8(at, types[kind])
    view.setUint32(at + 1, timestamp)
    view.setUint32(at + 5, body.length)
    bytes.set(body, at + MESSAGE_HEADER_BYTES)
    at += MESSAGE_HEADER_BYTES + body.length
  }
  return bytes
}

/** Reads a piece; undefined if it is none. */
export function readPiece(bytes: Uint8Array): LivePiece | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < HEADER_BYTES || view.getUint8(0) !== VERSION) return undefined
  const messages: PieceMessage[] = []
  let at = HEADER_BYTES
  while (at < bytes.length) {
    if (at + MESSAGE_HEADER_BYTES > bytes.length) return undefined
    const type = view.getUint8(at)
    const end = at + MESSAGE_HEADER_BYTES + view.getUint32(at + 5)
    if ((type !== types.audio && type !== types.video) || end > bytes.length) return undefined
    const body = bytes.subarray(at + MESSAGE_HEADER_BYTES, end)
    messages.push({ kind: type === types.audio ? 'audio' : 'video', timestamp: view.getUint32(at + 1), body })
    at = end
  }
  return { endMs: view.getUint32(2), isLast: (view.getUint8(1) & LAST) !== 0, messages }
}
