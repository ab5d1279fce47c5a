import type { FileEdit } from '@kinora/platform/files/file-edits.ts'
import type { SourceRanges } from '../source/source-bytes.ts'

/** First bytes of a comment header: Vorbis, Theora, Opus, FLAC (RFC 7845, 5.2; RFC 9639, 8.6; Vorbis I, 5.2). */
const COMMENT_HEADS = [
  { magic: Buffer.from('\u0003vorbis', 'latin1'), length: 7 },
  { magic: Buffer.from('\u0081theora', 'latin1'), length: 7 },
  { magic: Buffer.from('OpusTags', 'latin1'), length: 8 },
]
const FLAC_MAGIC = Buffer.from('\u007fFLAC', 'latin1')
const FLAC_COMMENT = 4
const FLAC_HEAD_BYTES = 4

/** Tags that players need and that identify nobody. */
const RETAINED_TAGS =
  /^(LANGUAGE|CHAPTER\d{3}(NAME)?|WAVEFORMATEXTENSIBLE_CHANNEL_MASK|R128_\w+_GAIN|REPLAYGAIN_\w+)$/i

/** Headers are at the beginning; cover images are some megabytes at most. */
const INITIAL_READ_BYTES = 256 * 1024
const MAX_HEADER_BYTES = 32 * 1024 * 1024

/** Edits that blank the comments of every stream of an Ogg and correct the checksums of their pages. */
export async function findOggMetadata(file: SourceRanges): Promise<FileEdit[]> {
  for (let length = INITIAL_READ_BYTES; ; length *= 4) {
    const original = Buffer.from(await file.read(0, Math.min(length, file.sizeBytes)))
    const { edits, isComplete } = blankComments(original)
    if (isComplete || length >= Math.min(file.sizeBytes, MAX_HEADER_BYTES)) return edits
  }
}

type Page = { start: number; end: number }
/** A stream whose headers are being read, up to the packet of this index. */
type Stream = { packetIndex: number; isFlac: boolean; slices: Buffer[]; pages: Page[] }

function blankComments(original: Buffer): { edits: FileEdit[]; isComplete: boolean } {
  const bytes = Buffer.from(original)
  const streams = new Map<number, Stream>()
  const changedPages = new Set<Page>()
  let at = 0
  let isComplete = false
  while (!isComplete) {
    const page = readPage(bytes, at)
    if (!page) break
    const stream = streams.get(page.serial) ?? { packetIndex: 0, isFlac: false, slices: [], pages: [] }
    streams.set(page.serial, stream)
    for (const { start, end, isLast } of page.packetParts) {
      stream.slices.push(bytes.subarray(start, end))
      stream.pages.push(page)
      if (!isLast) continue
      if (stream.packetIndex === 0)
        stream.isFlac = stream.slices[0]?.subarray(0, 5).equals(FLAC_MAGIC) ?? false
      if (stream.packetIndex === 1 && blankPacket(stream))
        for (const each of stream.pages) changedPages.add(each)
      stream.packetIndex += 1
      stream.slices = []
      stream.pages = []
    }
    // every stream begins before the second packet of any
    isComplete = [...streams.values()].every((each) => each.packetIndex > 1)
    at = page.end
  }
  const edits = [...changedPages].flatMap(({ start, end }) => {
    const head = bytes.subarray(start, end)
    head.writeUInt32LE(0, 22)
    head.writeUInt32LE(checksum(head), 22)
    return head.equals(original.subarray(start, end)) ? [] : [{ start, head, end }]
  })
  return { edits, isComplete }
}

/** A page (RFC 3533, 6) and its parts of packets; undefined if truncated. */
function readPage(bytes: Buffer, start: number) {
  if (bytes.toString('latin1', start, start + 4) !== 'OggS') return undefined
  const count = bytes[start + 26]
  if (count === undefined || start + 27 + count > bytes.length) return undefined
  const packetParts: { start: number; end: number; isLast: boolean }[] = []
  let at = start + 27 + count
  let partStart = at
  for (const [index, length] of bytes.subarray(start + 27, start + 27 + count).entries()) {
    at += length
    if (length === 255 && index + 1 < count) continue
    packetParts.push({ start: partStart, end: at, isLast: length < 255 })
    partStart = at
  }
  if (at > bytes.length) return undefined
  return { serial: bytes.readUInt32LE(start + 14), packetParts, start, end: at }
}

/** Blanks the packet if it is a comment header. Returns whether it was one. */
function blankPacket({ slices, isFlac }: Stream): boolean {
  const packet = Buffer.concat(slices)
  const known = COMMENT_HEADS.find(({ magic }) => packet.subarray(0, magic.length).equals(magic))
  const isFlacComment = isFlac && ((packet[0] ?? 0) & 0x7f) === FLAC_COMMENT
  const head = isFlacComment ? FLAC_HEAD_BYTES : known?.length
  if (head === undefined) return false
  blankValues(packet, head)
  let at = 0
  for (const slice of slices) {
    packet.copy(slice, 0, at, at + slice.length)
    at += slice.length
  }
  return true
}

/** Vendor string, number of comments, then each with its length, as `KEY=value`. */
function blankValues(packet: Buffer, head: number): void {
  if (head + 4 > packet.length) return
  let at = head + 4 + packet.readUInt32LE(head)
  if (at + 4 > packet.length) return
  const count = packet.readUInt32LE(at)
  at += 4
  for (let number = 0; number < count && at + 4 <= packet.length; number += 1) {
    const end = Math.min(at + 4 + packet.readUInt32LE(at), packet.length)
    const comment = packet.subarray(at + 4, end)
    const sign = comment.indexOf('=')
    const key = comment.toString('latin1', 0, Math.max(0, sign))
    if (!RETAINED_TAGS.test(key)) comment.fill(' ', sign + 1)
    at = end
  }
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24
  for (let bit = 0; bit < 8; bit += 1) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1
  return value >>> 0
})

/** The checksum of a page, computed with its own field set to zero. */
function checksum(page: Buffer): number {
  let value = 0
  for (const byte of page) value = ((value << 8) ^ (CRC_TABLE[(value >>> 24) ^ byte] ?? 0)) >>> 0
  return value
}
