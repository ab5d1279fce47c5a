import { open } from 'node:fs/promises'
import { type Container, SNIFF_BYTES } from '../source/container.ts'
import { EBML_HEADER, readElement, SEGMENT } from '../containers/webm/ebml.ts'

/** A page has a header of 27 bytes and up to 255 lacing values of up to 255 bytes. */
const MAX_PAGE_BYTES = 27 + 255 + 255 * 255

/** `wholeBytes` is set if programs fail on the bytes after it. */
export type FileEnd = { isTruncated: boolean; wholeBytes?: number | undefined }

/**
 * Whether a file is shorter than its container states, judged by its first and last bytes. Truncation of an
 * unfragmented MP4 is detected by its index instead.
 */
export async function detectTruncation(path: string, container: Container): Promise<FileEnd> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const read = async (from: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from)
      return buffer.subarray(0, bytesRead)
    }
    const head = await read(0, SNIFF_BYTES)
    if (container === 'mp4') {
      if (!isFragmented(head)) return { isTruncated: false }
      const tail = await tailWith(read, size, endsFragments)
      const truncated = truncatedIndex(tail)
      const wholeBytes = truncated === undefined ? undefined : size - tail.length + truncated
      return { isTruncated: endsFragments(tail) === false, wholeBytes }
    }
    if (container === 'webm') {
      const stated = statedWebmEnd(head)
      if (stated !== undefined) return { isTruncated: stated > size }
      return { isTruncated: endsClusters(await tailWith(read, size, endsClusters)) === false }
    }
    // two pages, so that at least one begins within
    const from = Math.max(0, size - 2 * MAX_PAGE_BYTES)
    return { isTruncated: !endsOgg(await read(from, size - from)) }
  } finally {
    await file.close()
  }
}

const TAIL_BYTES = 2 ** 20
/** Recorders start a new fragment or cluster every few seconds. */
const MAX_TAIL_BYTES = 2 ** 24

/**
 * The end of a recording in fragments or clusters, which states no size of its own: complete if its last fragment is.
 */
async function tailWith(
  read: (from: number, length: number) => Promise<Buffer>,
  size: number,
  endsComplete: (tail: Buffer) => boolean | undefined,
): Promise<Buffer> {
  for (let length = TAIL_BYTES; ; length *= 4) {
    const tail = await read(Math.max(0, size - length), Math.min(size, length))
    if (endsComplete(tail) !== undefined || length >= Math.min(size, MAX_TAIL_BYTES)) return tail
  }
}

/** Offset of the last occurrence of a marker that `isOne` confirms; frames may contain the same bytes. */
function lastMarker(tail: Buffer, mark: Buffer, isOne: (at: number) => boolean): number | undefined {
  let at = tail.lastIndexOf(mark)
  while (at >= 0 && !isOne(at)) at = at === 0 ? -1 : tail.lastIndexOf(mark, at - 1)
  return at < 0 ? undefined : at
}

const MOOF = Buffer.from('moof')

/** Whether an MP4 is fragmented, which `mvex` states before the first fragment (ISO/IEC 14496-12). */
function isFragmented(head: Buffer): boolean {
  return head.includes('mvex')
}

/**
 * Whether the boxes from the last fragment to the end of an MP4 are complete; undefined if there is no fragment.
 */
export function endsFragments(tail: Buffer): boolean | undefined {
  const pieces = lastBoxes(tail)
  const last = pieces.at(-1)
  return last && last.end === tail.length
}

/** Offset of a truncated `moof` at the end of a file. ffmpeg opens no file that ends with one. */
export function truncatedIndex(tail: Buffer): number | undefined {
  const last = lastBoxes(tail).at(-1)
  return last?.type === 'moof' && !(last.end <= tail.length) ? last.start : undefined
}

/** The boxes from the last fragment on. The `end` of a truncated box is beyond the tail, or NaN if unknown. */
function lastBoxes(tail: Buffer): { type: string; start: number; end: number }[] {
  const named = lastMarker(tail, MOOF, (at) => at >= 4 && tail.toString('latin1', at + 8, at + 12) === 'mfhd')
  const pieces: { type: string; start: number; end: number }[] = []
  let at = named === undefined ? Number.NaN : named - 4
  while (at < tail.length) {
    const piece = { type: tail.toString('latin1', at + 4, at + 8), start: at, end: boxEnd(tail, at) }
    pieces.push(piece)
    at = piece.end
  }
  return pieces
}

function boxEnd(tail: Buffer, at: number): number {
  if (at + 8 > tail.length) return Number.NaN
  const short = tail.readUInt32BE(at)
  // size 0 means to the end of the file; but zeros are no box
  if (short === 0) return tail.readUInt32BE(at + 4) === 0 ? Number.NaN : tail.length
  if (short === 1 && at + 16 > tail.length) return Number.NaN
  const size = short === 1 ? Number(tail.readBigUInt64BE(at + 8)) : short
  return size < 8 ? Number.NaN : at + size
}

/** End of a WebM according to its first bytes; undefined if they do not state a size, as in live recordings. */
export function statedWebmEnd(head: Buffer): number | undefined {
  const header = readElement(head, 0)
  if (header?.id !== EBML_HEADER || header.end === undefined) return undefined
  const segment = readElement(head, header.end)
  return segment?.id === SEGMENT ? segment.end : undefined
}

const CLUSTER = 0x1f43b675
const CLUSTER_ID = Buffer.from([0x1f, 0x43, 0xb6, 0x75])
const TIMESTAMP = 0xe7

/**
 * Whether the elements from the last cluster to the end of a WebM are complete; undefined if no cluster is found.
 */
export function endsClusters(tail: Buffer): boolean | undefined {
  let at = lastMarker(tail, CLUSTER_ID, (place) => beginsCluster(tail, place))
  if (at === undefined) return undefined
  while (at < tail.length) {
    const element = readElement(tail, at)
    if (!element || element.id === 0) return false
    // a cluster of unknown size continues with its child elements
    at = element.end ?? (element.id === CLUSTER ? element.content : tail.length + 1)
  }
  return at === tail.length
}

function beginsCluster(bytes: Buffer, at: number): boolean {
  const cluster = readElement(bytes, at)
  return cluster !== undefined && readElement(bytes, cluster.content)?.id === TIMESTAMP
}

const IS_LAST_PAGE = 4

/** Whether the last page of an Ogg is complete and ends its stream (RFC 3533, section 6). */
export function endsOgg(tail: Buffer): boolean {
  const at = tail.lastIndexOf('OggS')
  const lengths = tail[at + 26]
  if (at < 0 || lengths === undefined || at + 27 + lengths > tail.length) return false
  const body = tail.subarray(at + 27, at + 27 + lengths).reduce((sum, length) => sum + length, 0)
  return ((tail[at + 5] ?? 0) & IS_LAST_PAGE) !== 0 && at + 27 + lengths + body <= tail.length
}
