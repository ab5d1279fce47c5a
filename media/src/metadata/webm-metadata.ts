import type { FileEdit } from '@kinora/platform/files/file-edits.ts'
import {
  EBML_HEADER,
  type Element,
  readElement,
  readElements,
  readUnsigned,
  SEGMENT,
} from '../containers/webm/ebml.ts'
import type { SourceRanges } from '../source/source-bytes.ts'

const TAGS = 0x1254c367
const ATTACHMENTS = 0x1941a469
const CLUSTER = 0x1f43b675
const SEEK_HEAD = 0x114d9b74
const SEEK = 0x4dbb
const SEEK_ID = 0x53ab
const SEEK_POSITION = 0x53ac

const MAX_HEAD_BYTES = 12
const MAX_SEEK_HEAD_BYTES = 64 * 1024
/** A recording of a day has some tens of thousands of clusters. */
const MAX_ELEMENTS = 1_000_000

/** Edits that turn the tags and attached files of a WebM into Void elements of the same length (RFC 9559). */
export async function findWebmMetadata(file: SourceRanges): Promise<FileEdit[]> {
  const header = await elementAt(file, 0)
  if (header?.id !== EBML_HEADER || header.end === undefined) return []
  const segment = await elementAt(file, header.end)
  if (segment?.id !== SEGMENT) return []
  const segmentEnd = Math.min(segment.end ?? file.sizeBytes, file.sizeBytes)
  const found = new Map<number, FileEdit>()
  const take = (start: number, { id, end }: Element) => {
    if ((id !== TAGS && id !== ATTACHMENTS) || end === undefined || end > file.sizeBytes) return
    found.set(start, { start, head: voidHead(end - start), end })
  }
  let at = segment.content
  for (let count = 0; at < segmentEnd && count < MAX_ELEMENTS; count += 1) {
    const element = await elementAt(file, at)
    if (!element) break
    if (element.id === SEEK_HEAD) {
      // the only way to elements after clusters of unknown size
      for (const position of await positionsOfTags(file, element)) {
        const start = segment.content + position
        const tag = start < file.sizeBytes ? await elementAt(file, start) : undefined
        if (tag) take(start, tag)
      }
    }
    take(at, element)
    if (element.end === undefined || (element.id === CLUSTER && element.end > file.sizeBytes)) break
    at = element.end
  }
  return [...found.values()]
}

/** Positions of tags from the seek head, relative to the segment. */
async function positionsOfTags(file: SourceRanges, { content, end = content }: Element): Promise<number[]> {
  if (end - content > MAX_SEEK_HEAD_BYTES) return []
  const bytes = Buffer.from(await file.read(content, end))
  const positions: number[] = []
  for (const seek of readElements(bytes, 0, bytes.length)) {
    if (seek.id !== SEEK) continue
    const fields = [...readElements(bytes, seek.content, seek.end)]
    const valueOf = (id: number) => {
      const field = fields.find((each) => each.id === id)
      return field && Number(readUnsigned(bytes, field.content, field.end))
    }
    const id = valueOf(SEEK_ID)
    const position = valueOf(SEEK_POSITION)
    if ((id === TAGS || id === ATTACHMENTS) && position !== undefined) positions.push(position)
  }
  return positions
}

/** `at` is an offset in the file. */
async function elementAt(file: SourceRanges, at: number): Promise<Element | undefined> {
  const bytes = Buffer.from(await file.read(at, at + MAX_HEAD_BYTES))
  // the header is readable even if the element is truncated
  const element = readElement(Buffer.concat([bytes, Buffer.alloc(1)]), 0)
  if (!element) return undefined
  const { id, content, end } = element
  return { id, content: at + content, end: end === undefined ? undefined : at + end }
}

/** The header of a Void element with this total length. */
function voidHead(length: number): Buffer {
  const sizeBytes = length >= 9 ? 8 : 1
  const head = Buffer.alloc(1 + sizeBytes)
  const content = length - head.length
  head[0] = 0xec
  if (sizeBytes === 1) head[1] = 0x80 | content
  else head.writeBigUInt64BE((1n << 56n) | BigInt(content), 1)
  return head
}
