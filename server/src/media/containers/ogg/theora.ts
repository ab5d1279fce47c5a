import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** A frame as described by its page. */
type TheoraFrame = { number: number; sizeBytes: number }

/** The Theora stream of an Ogg file, read from its pages. Frames are numbered from 1, as granule positions are. */
export type TheoraFrames = {
  framesPerSecond: number
  firstNumber: number
  lastNumber: number
  /** In order. If a page contains several keyframes, the first ones may be missing. */
  keyNumbers: number[]
  /** The first frames, up to the requested number. */
  first: TheoraFrame[]
  /** Offset at which a second chained video begins. */
  linkEnd?: number
}

/** A page has a header of 27 bytes, followed by the lengths of up to 255 lacing segments. */
const HEAD_BYTES = 27
const MAX_HEAD_BYTES = HEAD_BYTES + 255
const CONTINUED = 1
const BEGINS_STREAM = 2
const ENDS_STREAM = 4
/** `OggS` */
const CAPTURE = 0x4f676753
const NO_GRANULE = -1n

/** Small pages are read together with the bytes between them. Large ones are skipped, which reads far less. */
const READ_AHEAD_BYTES = 256 * 1024
const JUMPED_BYTES = 16 * 1024

/** Bytes that identify the codec of a stream. */
const FIRST_BYTES = 64
const MAX_STREAMS = 64
const HEADER_PACKETS = 3
/** Earlier versions count frames differently. */
const FIRST_VERSION = 0x030201

/** Streams accepted next to the video. Any other type might be a second video. */
const others = ['\x01vorbis', 'OpusHead', '\x7fFLAC', 'Speex   ', 'fishead\0', '\x80kate\0', 'CMML\0']

type Page = {
  start: number
  flags: number
  granule: bigint
  serial: number
  sequence: number
  lengths: Buffer
  bodyAt: number
  end: number
}

/**
 * Locates the frames of an Ogg by page headers alone (RFC 3533). Nothing is decoded, and bodies of large pages are
 * skipped. Undefined for anything but one complete and regular Theora stream. Of chained links the first is read; a
 * truncated last page is ignored.
 *
 * The granule position of a page is the number of its last frame: that of the keyframe before it, plus the frames since
 * (Theora specification, appendix A.2.3).
 */
export function readTheoraFrames(path: string, wantedFrames: number): TheoraFrames | undefined {
  const file = openSync(path, 'r')
  try {
    return collectFrames(new PageReader(file), wantedFrames)
  } finally {
    closeSync(file)
  }
}

function collectFrames(pages: PageReader, wantedFrames: number): TheoraFrames | undefined {
  const sequences = new Map<number, number>()
  let theora: { serial: number; stream: TheoraStream } | undefined
  let areAllBegun = false
  for (let page = pages.next(); page; page = pages.next()) {
    if ((page.flags & BEGINS_STREAM) !== 0) {
      // a stream that begins after the others is a chained second video, whatever its serial number
      const frames = areAllBegun ? theora?.stream.frames() : undefined
      if (frames) return { ...frames, linkEnd: page.start }
      if (areAllBegun || sequences.has(page.serial) || sequences.size === MAX_STREAMS) return undefined
      const head = pages.bytes(page.bodyAt, Math.min(FIRST_BYTES, page.end - page.bodyAt))
      const header = readHeader(head)
      if (header && theora) return undefined
      if (header) theora = { serial: page.serial, stream: new TheoraStream(header, wantedFrames) }
      else if (!others.some((other) => head.toString('latin1').startsWith(other))) return undefined
    } else {
      areAllBegun = true
      if (sequences.get(page.serial) !== page.sequence - 1) return undefined
    }
    sequences.set(page.serial, page.sequence)
    if (page.serial === theora?.serial && !theora.stream.add(page, pages)) return undefined
  }
  // Not a page: the file ends here, or continues after a gap.
  return pages.isAtEnd || theora?.stream.hasEnded ? theora?.stream.frames() : undefined
}

type Header = { framesPerSecond: number; granuleShift: number }

/** The identification header (Theora specification, 6.2). */
function readHeader(packet: Buffer): Header | undefined {
  if (packet.length < 42 || packet.toString('latin1', 0, 7) !== '\x80theora') return undefined
  const [num, den] = [packet.readUInt32BE(22), packet.readUInt32BE(26)]
  if (packet.readUIntBE(7, 3) < FIRST_VERSION || num === 0 || den === 0) return undefined
  return {
    framesPerSecond: num / den,
    granuleShift: (packet.readUInt16BE(40) >> 5) & 31,
  }
}

/** Counts the frames of one stream, page by page. */
class TheoraStream {
  hasEnded = false
  readonly #header: Header
  readonly #wantedFrames: number
  readonly #keyNumbers: number[] = []
  readonly #first: TheoraFrame[] = []
  #headerPackets = 0
  #hasBegun = false
  #firstNumber: number | undefined
  #lastNumber = 0
  /** Bytes of the packet that continues on the next page. */
  #openBytes = 0
  #isOpen = false

  constructor(header: Header, wantedFrames: number) {
    this.#header = header
    this.#wantedFrames = wantedFrames
  }

  /** Adds the next page; false if it does not continue the previous ones. */
  add(page: Page, pages: PageReader): boolean {
    const { flags, granule, lengths, bodyAt } = page
    if (this.hasEnded || ((flags & CONTINUED) !== 0) !== this.#isOpen) return false
    this.hasEnded = (flags & ENDS_STREAM) !== 0
    if (this.#headerPackets === HEADER_PACKETS && lengths.length > 0 && !this.#hasBegun) {
      this.#hasBegun = true
      // the granule states that the first page has a keyframe, not that it is the first frame
      if (!isKeyframe(pages.bytes(bodyAt, 1))) return false
    }
    const sizes = this.#takePackets(lengths)
    if (sizes.length === 0) return granule === NO_GRANULE || lengths.length === 0
    if (this.#headerPackets < HEADER_PACKETS) {
      this.#headerPackets += sizes.length
      return granule === 0n && this.#headerPackets <= HEADER_PACKETS && !this.#isOpen
    }
    return granule > 0n && !sizes.includes(0) && this.#addFrames(sizes, granule)
  }

  frames(): TheoraFrames | undefined {
    if (this.#firstNumber === undefined) return undefined
    return {
      framesPerSecond: this.#header.framesPerSecond,
      firstNumber: this.#firstNumber,
      lastNumber: this.#lastNumber,
      keyNumbers: this.#keyNumbers,
      first: this.#first,
    }
  }

  /** The sizes of the packets that end on a page. A lacing value below 255 ends a packet. */
  #takePackets(lengths: Buffer): number[] {
    const sizes: number[] = []
    for (const length of lengths) {
      this.#openBytes += length
      this.#isOpen = length === 255
      if (this.#isOpen) continue
      sizes.push(this.#openBytes)
      this.#openBytes = 0
    }
    return sizes
  }

  #addFrames(sizes: number[], granule: bigint): boolean {
    const shift = BigInt(this.#header.granuleShift)
    const key = Number(granule >> shift)
    const last = key + Number(granule & ((1n << shift) - 1n))
    if (!Number.isSafeInteger(last)) return false
    if (this.#firstNumber === undefined) {
      if (last < sizes.length) return false
      this.#lastNumber = last - sizes.length
      this.#firstNumber = this.#lastNumber + 1
      this.#keyNumbers.push(this.#firstNumber)
    }
    if (last !== this.#lastNumber + sizes.length) return false
    if (key !== this.#keyNumbers.at(-1)) {
      if (key <= this.#lastNumber) return false
      this.#keyNumbers.push(key)
    }
    for (const [i, sizeBytes] of sizes.entries()) {
      if (this.#first.length === this.#wantedFrames) break
      this.#first.push({ number: this.#lastNumber + 1 + i, sizeBytes })
    }
    this.#lastNumber = last
    return true
  }
}

/** By the first bits of a frame (Theora specification, 7.1): neither header nor inter frame. */
const isKeyframe = (packet: Buffer) => packet.length > 0 && ((packet[0] ?? 0) & 0b1100_0000) === 0

/** Reads the page headers of a file in order. */
class PageReader {
  /** The file ends after the last page, apart from a truncated one. */
  isAtEnd = false
  readonly #file: number
  readonly #sizeBytes: number
  readonly #buffer = Buffer.allocUnsafe(READ_AHEAD_BYTES)
  #bufferAt = 0
  #buffered = 0
  #at = 0
  #pages = 0

  constructor(file: number) {
    this.#file = file
    this.#sizeBytes = fstatSync(file).size
  }

  /** The next complete page. */
  next(): Page | undefined {
    const head = this.bytes(this.#at, MAX_HEAD_BYTES)
    const lengthsAt = HEAD_BYTES
    const bodyAt = lengthsAt + (head[lengthsAt - 1] ?? 0)
    this.isAtEnd = head.length < bodyAt || head.length < HEAD_BYTES
    if (this.isAtEnd || head.readUInt32BE(0) !== CAPTURE || head[4] !== 0) return undefined
    // a copy: the next read may overwrite the window
    const lengths = Buffer.from(head.subarray(lengthsAt, bodyAt))
    let bodyBytes = 0
    for (const length of lengths) bodyBytes += length
    const end = this.#at + bodyAt + bodyBytes
    this.isAtEnd = end > this.#sizeBytes
    if (this.isAtEnd) return undefined
    const page = {
      start: this.#at,
      flags: head[5] ?? 0,
      granule: head.readBigInt64LE(6),
      serial: head.readUInt32LE(14),
      sequence: head.readUInt32LE(18),
      lengths,
      bodyAt: this.#at + bodyAt,
      end,
    }
    this.#at = end
    this.#pages += 1
    return page
  }

  /** A window of the file, shorter at its end. Valid until the next read. */
  bytes(at: number, length: number): Buffer {
    const isHere = at >= this.#bufferAt && at + length <= this.#bufferAt + this.#buffered
    if (!isHere) this.#fill(at, length)
    const from = at - this.#bufferAt
    return this.#buffer.subarray(from, Math.min(from + length, this.#buffered))
  }

  #fill(at: number, length: number): void {
    const areLarge = this.#at > this.#pages * JUMPED_BYTES
    this.#bufferAt = at
    const wanted = areLarge ? length : READ_AHEAD_BYTES
    this.#buffered = readSync(this.#file, this.#buffer, 0, wanted, at)
  }
}
