import { open } from 'node:fs/promises'
import { type Container, SNIFF_BYTES } from './container.ts'
import { EBML_HEADER, readElement, SEGMENT } from './ebml.ts'

/** A page has a header of 27 bytes and up to 255 lengths, each of at most 255 bytes. */
const MAX_PAGE_BYTES = 27 + 255 + 255 * 255

/**
 * Whether a file holds less than its container promises, judged by its first and its last bytes. Of an MP4 that is one film
 * its index knows, and says from where on.
 */
export async function isCutOff(path: string, container: Container): Promise<boolean> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const read = async (from: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from)
      return buffer.subarray(0, bytesRead)
    }
    const head = await read(0, SNIFF_BYTES)
    if (container === 'mp4') return isFragmented(head) && (await breaksOff(read, size, endsFragments))
    if (container === 'webm') {
      const stated = statedWebmEnd(head)
      return stated === undefined ? await breaksOff(read, size, endsClusters) : stated > size
    }
    // two pages, so that the beginning of one is among them
    const from = Math.max(0, size - 2 * MAX_PAGE_BYTES)
    return !endsOgg(await read(from, size - from))
  } finally {
    await file.close()
  }
}

const TAIL_BYTES = 2 ** 20
/** Recorders begin a new piece every few seconds. */
const MAX_TAIL_BYTES = 2 ** 24

/** What is recorded piece by piece, and states no size of its own, is whole when its last piece is. */
async function breaksOff(
  read: (from: number, length: number) => Promise<Buffer>,
  size: number,
  endsWhole: (tail: Buffer) => boolean | undefined,
): Promise<boolean> {
  for (let length = TAIL_BYTES; ; length *= 4) {
    const isWhole = endsWhole(await read(Math.max(0, size - length), Math.min(size, length)))
    if (isWhole !== undefined || length >= Math.min(size, MAX_TAIL_BYTES)) return isWhole === false
  }
}

/** Where the last piece begins that a mark announces; the same bytes may be part of a picture. Pure. */
function lastPiece(tail: Buffer, mark: Buffer, isOne: (at: number) => boolean): number | undefined {
  let at = tail.lastIndexOf(mark)
  while (at >= 0 && !isOne(at)) at = at === 0 ? -1 : tail.lastIndexOf(mark, at - 1)
  return at < 0 ? undefined : at
}

const MOOF = Buffer.from('moof')

/** Whether an MP4 comes in pieces, which say so before the first one (ISO/IEC 14496-12, `mvex`). Pure. */
function isFragmented(head: Buffer): boolean {
  return head.includes('mvex')
}

/** Whether the boxes from the last fragment on are whole up to the end of an MP4; undefined where there is none. Pure. */
export function endsFragments(tail: Buffer): boolean | undefined {
  const named = lastPiece(tail, MOOF, (at) => at >= 4 && tail.toString('latin1', at + 8, at + 12) === 'mfhd')
  if (named === undefined) return undefined
  let at = named - 4
  while (at + 8 <= tail.length) {
    const short = tail.readUInt32BE(at)
    if (short === 0) return tail.readUInt32BE(at + 4) !== 0
    if (short === 1 && at + 16 > tail.length) return false
    const size = short === 1 ? Number(tail.readBigUInt64BE(at + 8)) : short
    if (size < 8) return false
    at += size
  }
  return at === tail.length
}

/**
 * Where a WebM ends as its first bytes have it; undefined where they do not say, as in recordings that were made while
 * they were sent. Pure.
 */
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
 * Whether the elements from the last cluster on are whole up to the end of a WebM; undefined where no cluster is found.
 * Pure.
 */
export function endsClusters(tail: Buffer): boolean | undefined {
  let at = lastPiece(tail, CLUSTER_ID, (place) => beginsCluster(tail, place))
  if (at === undefined) return undefined
  while (at < tail.length) {
    const element = readElement(tail, at)
    if (!element || element.id === 0) return false
    // one whose size nobody knew yet goes on for as long as what is in it follows
    at = element.end ?? (element.id === CLUSTER ? element.content : tail.length + 1)
  }
  return at === tail.length
}

function beginsCluster(bytes: Buffer, at: number): boolean {
  const cluster = readElement(bytes, at)
  return cluster !== undefined && readElement(bytes, cluster.content)?.id === TIMESTAMP
}

const IS_LAST_PAGE = 4

/** Whether the last page of an Ogg is whole, and says that it is the last of its stream (RFC 3533, section 6). Pure. */
export function endsOgg(tail: Buffer): boolean {
  const at = tail.lastIndexOf('OggS')
  const lengths = tail[at + 26]
  if (at < 0 || lengths === undefined || at + 27 + lengths > tail.length) return false
  const body = tail.subarray(at + 27, at + 27 + lengths).reduce((sum, length) => sum + length, 0)
  return ((tail[at + 5] ?? 0) & IS_LAST_PAGE) !== 0 && at + 27 + lengths + body <= tail.length
}
