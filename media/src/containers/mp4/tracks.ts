import { box, BoxReader, type Place } from './boxes.ts'
import { SampleTable, type SampleBoxes } from './sample-table.ts'
import type { SourceRanges } from '../../source/source-bytes.ts'

/**
 * Limit for everything but sample tables. Real videos stay below a few kilobytes; larger ones are made to exhaust
 * memory.
 */
const MAX_HEAD_BYTES = 4 * 2 ** 20

const containers = ['trak', 'mdia', 'minf', 'stbl']
/** Sample tables, with the offset at which their first entry ends. */
const firstEntryEnds: Record<string, number> = {
  stts: 16,
  ctts: 16,
  stss: 12,
  stsz: 16,
  stsc: 20,
  stco: 12,
  co64: 16,
}
/** Not needed for playback; titles and cover images can be large. */
const skippedBoxes = ['free', 'skip', 'udta', 'meta', 'sdtp', 'sbgp', 'sgpd', 'saiz', 'saio', 'subs']

/** An MP4 whose frames can be located without reading all of its index. */
export type Mp4Tracks = {
  /** The same video with an index of only the first frame of each track. Enough to describe the tracks. */
  head: SourceRanges
  /** The table of a track; undefined if `SampleTable` does not support it. */
  tableOf: (trackId: number) => Promise<SampleTable | undefined>
}

/**
 * Finds the sample tables of an MP4 without reading them. Undefined for other containers, fragmented or encrypted
 * files, and inconsistent boxes.
 */
export async function findMp4Tracks(file: SourceRanges): Promise<Mp4Tracks | undefined> {
  const finder = new TableFinder(file)
  const moov = await finder.findMoov()
  const content = moov && (await finder.keepFirstEntries(moov))
  if (!content) return undefined
  const shortMoov = box('moov', content)
  return {
    head: replaceRange(file, moov.box, shortMoov),
    async tableOf(trackId) {
      const places = finder.tracks.get(trackId)
      if (!places) return undefined
      const boxes = await Promise.all(
        Object.entries(places).map(async ([type, { start, end }]) => {
          const bytes = await file.read(start, end)
          if (bytes.length < end - start) throw new Error('the file is shorter than its index')
          return [type, bytes] as const
        }),
      )
      return tableFrom(Object.fromEntries(boxes))
    },
  }
}

function tableFrom({ stts, stsz, stsc, ...others }: Partial<SampleBoxes>): SampleTable | undefined {
  if (!stts || !stsz || !stsc) return undefined
  try {
    return new SampleTable({ stts, stsz, stsc, ...others })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Walks through the boxes of a file and records only the positions of its tables. */
class TableFinder {
  readonly tracks = new Map<number, Record<string, Place>>()
  readonly #sizeBytes: number
  readonly #boxes: BoxReader
  #headBytes = 0
  #places: Record<string, Place> = {}
  #trackId = Number.NaN

  constructor(file: SourceRanges) {
    this.#sizeBytes = file.sizeBytes
    this.#boxes = new BoxReader(file)
  }

  async findMoov(): Promise<(Place & { box: Place }) | undefined> {
    for await (const { type, start, content, end } of this.#boxes.children(0, this.#sizeBytes)) {
      if (type === 'moov') return { start: content, end, box: { start, end } }
      if (type === 'moof') return undefined
    }
    return undefined
  }

  /** Contents of a box with only the first entries of its tables; undefined if more would be needed. */
  async keepFirstEntries({ start, end }: Place): Promise<Buffer[] | undefined> {
    const parts: Buffer[] = []
    let at = start
    for await (const { type, content, end: next } of this.#boxes.children(start, end)) {
      at = next
      if (type === 'mvex' || type === 'stz2') return undefined
      if (type === 'trak') this.#places = {}
      const part = await this.#shrinkBox(type, { start: content, end: next })
      if (!part) return undefined
      parts.push(...part)
      if (type === 'trak') {
        if (this.tracks.has(this.#trackId)) return undefined
        this.tracks.set(this.#trackId, this.#places)
      }
    }
    // old writers end a list with four zero bytes
    return end - at < 8 ? parts : undefined
  }

  async #shrinkBox(type: string, content: Place): Promise<Buffer[] | undefined> {
    if (skippedBoxes.includes(type)) return []
    if (containers.includes(type)) {
      const inner = await this.keepFirstEntries(content)
      return inner && [box(type, inner)]
    }
    const size = content.end - content.start
    const firstEntryEnd = firstEntryEnds[type]
    if (firstEntryEnd !== undefined) {
      if (this.#places[type]) return undefined
      this.#places[type] = content
      const bytes = await this.#boxes.read(content.start, Math.min(size, firstEntryEnd))
      return bytes && [box(type, [keepFirstEntry(type, bytes)])]
    }
    this.#headBytes += size
    if (this.#headBytes > MAX_HEAD_BYTES) return undefined
    const bytes = await this.#boxes.read(content.start, size)
    if (!bytes) return undefined
    if (type === 'tkhd' && size >= 24) this.#trackId = bytes.readUInt32BE(bytes[0] === 1 ? 20 : 12)
    // `sinf` marks encrypted samples
    if (type === 'stsd' && bytes.includes('sinf')) return undefined
    return [box(type, [bytes])]
  }
}

/** A table cut down to its first entry; empty if it has none. */
function keepFirstEntry(type: string, beginning: Buffer): Buffer {
  const bytes = Buffer.from(beginning)
  const countAt = type === 'stsz' ? 8 : 4
  if (bytes.length < countAt + 4) return bytes
  const isEmpty = bytes.readUInt32BE(countAt) === 0
  bytes.writeUInt32BE(isEmpty ? 0 : 1, countAt)
  // limit the run to one frame
  if (!isEmpty && ['stts', 'ctts'].includes(type)) bytes.writeUInt32BE(1, 8)
  // limit the chunk to one frame
  if (!isEmpty && type === 'stsc' && bytes.length === 20) bytes.writeUInt32BE(1, 12)
  return bytes
}

/** A file with one range replaced by other bytes, padded with zeros. */
function replaceRange({ sizeBytes, read }: SourceRanges, { start, end }: Place, bytes: Buffer): SourceRanges {
  return {
    sizeBytes,
    async read(from, to) {
      if (to <= start || from >= end) return read(from, to)
      const result = Buffer.alloc(to - from)
      result.set(bytes.subarray(Math.max(0, from - start), to - start), Math.max(0, start - from))
      if (from < start) result.set(await read(from, start))
      if (to > end) result.set(await read(end, to), end - from)
      return result
    },
  }
}
