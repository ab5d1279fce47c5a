import type { SourceRanges } from '../../source/source-bytes.ts'

/** A byte range of a file; `end` is exclusive. */
export type Place = { start: number; end: number }

/** `start` is the offset of its header, `content` that of its payload. */
export type FoundBox = Place & { type: string; content: number }

/** Read ahead at once while searching for boxes. */
const WINDOW_BYTES = 256 * 1024
/** Videos have some hundred boxes. Larger numbers occur in files made to keep the reader busy. */
const MAX_BOXES = 10_000

/** Walks through the boxes of an MP4 (ISO/IEC 14496-12, 4.2) without reading their contents. */
export class BoxReader {
  readonly #file: SourceRanges
  readonly #windowBytes: number
  readonly #maxBoxes: number
  #window: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) }
  #boxes = 0

  constructor(file: SourceRanges, windowBytes = WINDOW_BYTES, maxBoxes = MAX_BOXES) {
    this.#file = file
    this.#maxBoxes = maxBoxes
    this.#windowBytes = windowBytes
  }

  /** The direct children of a byte range. Ends at the first truncated box. */
  async *children(start: number, end: number): AsyncGenerator<FoundBox> {
    let at = start
    while (at + 8 <= end) {
      const header = await this.read(at, Math.min(16, end - at))
      this.#boxes += 1
      if (!header || this.#boxes > this.#maxBoxes) return
      const short = header.readUInt32BE(0)
      const isLong = short === 1 && header.length === 16
      const size = isLong ? Number(header.readBigUInt64BE(8)) : short === 0 ? end - at : short
      const content = at + (isLong ? 16 : 8)
      if (at + size < content || at + size > end) return
      yield { type: header.toString('latin1', 4, 8), start: at, content, end: at + size }
      at += size
    }
  }

  /** Undefined if the file ends before the range does. */
  async read(start: number, length: number): Promise<Buffer | undefined> {
    const { start: from, bytes } = this.#window
    if (start < from || start + length > from + bytes.length) {
      const read = await this.#file.read(
        start,
        Math.min(start + Math.max(length, this.#windowBytes), this.#file.sizeBytes),
      )
      this.#window = { start, bytes: Buffer.from(read.buffer, read.byteOffset, read.byteLength) }
    }
    const at = start - this.#window.start
    const found = this.#window.bytes.subarray(at, at + length)
    return found.length === length ? found : undefined
  }
}

export function box(type: string, content: Buffer[]): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(8 + content.reduce((sum, part) => sum + part.length, 0))
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, ...content])
}
