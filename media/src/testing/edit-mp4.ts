import { findBox, readBoxes } from '../containers/mp4/fmp4.ts'
import { box } from '../containers/mp4/boxes.ts'
import { type SampleBoxes, SampleTable } from '../containers/mp4/sample-table.ts'

/** One entry of an edit list, in seconds: the media time `from`, or an empty edit if that is null. */
export type Edit = { seconds: number; from: number | null; rate?: number }

/** Replaces the edit list of a track (0 is the first). The index has to follow the frames, as ffmpeg writes it. */
export function withEdits(video: Buffer, track: number, edits: Edit[]): Buffer {
  const moov = requireBox(video, 'moov')
  const parts: Buffer[] = []
  let number = 0
  for (const child of readBoxes(video, moov.content, moov.end)) {
    const bytes = video.subarray(child.start, child.end)
    parts.push(child.type === 'trak' && number++ === track ? editedTrack(video, child, edits) : bytes)
  }
  return Buffer.concat([video.subarray(0, moov.start), box('moov', parts), video.subarray(moov.end)])
}

/** Replaces the display matrix of the first track, which has to be a video: `x' = ax + cy + tx`, `y' = bx + dy + ty`. */
export function withMatrix(video: Buffer, [a, b, c, d, tx, ty]: readonly number[]): Buffer {
  const { content } = requireBox(video, 'moov/trak/tkhd')
  const bytes = Buffer.from(video)
  const at = content + (bytes[content] === 1 ? 52 : 40)
  const values = [a, b, 0, c, d, 0, tx, ty]
  values.forEach((value = 0, index) => bytes.writeInt32BE(Math.round(value * 65_536), at + 4 * index))
  return bytes
}

const parents = ['moov', 'trak', 'mdia', 'minf', 'stbl']

/**
 * Replaces the tables of a track (0 is the first); `co64` takes the place of `stco`. The index has to follow the frames, as
 * ffmpeg writes it.
 */
export function withTables(video: Buffer, track: number, tables: Readonly<Record<string, Buffer>>): Buffer {
  let number = -1
  const changed = ({ type, start, content, end }: Box): Buffer => {
    if (type === 'trak') number += 1
    if (parents.includes(type)) return box(type, Array.from(readBoxes(video, content, end), changed))
    const name = type === 'stco' && tables['co64'] ? 'co64' : type
    const table = number === track ? tables[name] : undefined
    return table ? box(name, [table]) : video.subarray(start, end)
  }
  return Buffer.concat(Array.from(readBoxes(video), changed))
}

/** Contents of a table: version and flags of zero, then numbers. */
export const tableOf = (...numbers: Iterable<number>[]): Buffer =>
  Buffer.from(Uint32Array.from([0, ...numbers.flatMap((each) => [...each])]).buffer).swap32()

/** Copies of the tables of a track (0 is the first). */
export function tablesOf(video: Buffer, track: number): SampleBoxes & { stsd: Buffer } {
  const moov = requireBox(video, 'moov')
  const trak = [...readBoxes(video, moov.content, moov.end)].filter(({ type }) => type === 'trak')[track]
  const stbl = requireBox(video, 'mdia/minf/stbl', trak)
  const { stsd, stts, stsz, stsc, ...others } = Object.fromEntries(
    Array.from(readBoxes(video, stbl.content, stbl.end), ({ type, content, end }) => [
      type,
      Buffer.from(video.subarray(content, end)),
    ]),
  )
  if (!stsd || !stts || !stsz || !stsc) throw new Error(`track ${track} has no tables`)
  return { stsd, stts, stsz, stsc, ...others }
}

/** Appends the frames of the second track to those of the first, with their own sample description, and plays all of them. */
export function withFormatChange(video: Buffer): Buffer {
  const both = [tablesOf(video, 0), tablesOf(video, 1)]
  const frames = both.map((tables) => {
    const table = new SampleTable(tables)
    return [...table.samples(0, table.count)]
  })
  const all = frames.flat()
  const counts = frames.map(({ length }) => length)
  const keys = all.flatMap(({ isKey }, index) => (isKey ? [index + 1] : []))
  const descriptions = both.map(({ stsd }) => stsd.subarray(8))
  const joined = withTables(video, 0, {
    stsd: Buffer.concat([tableOf([2]), ...descriptions]),
    stts: tableOf([1, all.length, all[0]?.duration ?? 0]),
    stss: tableOf([keys.length, ...keys]),
    stsz: tableOf(
      [0, all.length],
      all.map(({ size }) => size),
    ),
    // One chunk for each frame.
    stsc: tableOf([2, 1, 1, 1, (counts[0] ?? 0) + 1, 1, 2]),
    stco: tableOf(
      [all.length],
      all.map(({ offset }) => offset),
    ),
  })
  return withEdits(joined, 0, [])
}

type Box = NonNullable<ReturnType<typeof findBox>>

function editedTrack(video: Buffer, trak: Box, edits: Edit[]): Buffer {
  const mvhd = requireBox(video, 'moov/mvhd')
  const mdhd = requireBox(video, 'mdia/mdhd', trak)
  const [movieTicks, trackTicks] = [timescaleAt(video, mvhd), timescaleAt(video, mdhd)]
  const entries = edits.map(({ seconds, from, rate = 1 }) => {
    const entry = Buffer.alloc(12)
    entry.writeUInt32BE(Math.round(seconds * movieTicks))
    entry.writeInt32BE(from === null ? -1 : Math.round(from * trackTicks), 4)
    entry.writeInt32BE(Math.round(rate * 65_536), 8)
    return entry
  })
  const count = Buffer.alloc(8)
  count.writeUInt32BE(edits.length, 4)
  const edts = edits.length === 0 ? [] : [box('edts', [box('elst', [count, ...entries])])]
  const others = [...readBoxes(video, trak.content, trak.end)].filter(({ type }) => type !== 'edts')
  const [head, ...rest] = others.map(({ start, end }) => video.subarray(start, end))
  return box('trak', [...(head ? [head] : []), ...edts, ...rest])
}

function requireBox(bytes: Buffer, path: string, { content, end }: Partial<Box> = {}): Box {
  const found = findBox(bytes, path, content, end)
  if (!found) throw new Error(`there is no ${path}`)
  return found
}

const timescaleAt = (bytes: Buffer, { content }: Box) =>
  bytes.readUInt32BE(content + (bytes[content] === 1 ? 20 : 12))
