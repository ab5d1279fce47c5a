import { open } from 'node:fs/promises'
import { type Container, SNIFF_BYTES } from './container.ts'
import { EBML_HEADER, readElement, SEGMENT } from './ebml.ts'

/** A page has a header of 27 bytes and up to 255 lengths, each of at most 255 bytes. */
const MAX_PAGE_BYTES = 27 + 255 + 255 * 255

/**
 * Whether a file holds less than its container promises, judged by its first and its last bytes. Of MP4 its index
 * knows, and says from where on.
 */
export async function isCutOff(path: string, container: Container): Promise<boolean> {
  if (container === 'mp4') return false
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const read = async (from: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from)
      return buffer.subarray(0, bytesRead)
    }
    if (container === 'webm') return (statedWebmEnd(await read(0, SNIFF_BYTES)) ?? 0) > size
    // two pages, so that the beginning of one is among them
    const from = Math.max(0, size - 2 * MAX_PAGE_BYTES)
    return !endsOgg(await read(from, size - from))
  } finally {
    await file.close()
  }
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

const IS_LAST_PAGE = 4

/** Whether the last page of an Ogg is whole, and says that it is the last of its stream (RFC 3533, section 6). Pure. */
export function endsOgg(tail: Buffer): boolean {
  const at = tail.lastIndexOf('OggS')
  const lengths = tail[at + 26]
  if (at < 0 || lengths === undefined || at + 27 + lengths > tail.length) return false
  const body = tail.subarray(at + 27, at + 27 + lengths).reduce((sum, length) => sum + length, 0)
  return ((tail[at + 5] ?? 0) & IS_LAST_PAGE) !== 0 && at + 27 + lengths + body <= tail.length
}
