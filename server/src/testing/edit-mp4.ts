import { findBox, readBoxes } from '../media/containers/mp4/fmp4.ts'
import { box } from '../media/containers/mp4/boxes.ts'

/** One entry of an edit list, in seconds; what is shown of it begins at `from`, or is nothing where that is null. */
export type Edit = { seconds: number; from: number | null; rate?: number }

/** A film whose track (0 is the first) has another edit list. Its index has to stand behind its pictures, as ffmpeg leaves it. */
export function withEdits(film: Buffer, track: number, edits: Edit[]): Buffer {
  const moov = demandBox(film, 'moov')
  const parts: Buffer[] = []
  let number = 0
  for (const child of readBoxes(film, moov.content, moov.end)) {
    const bytes = film.subarray(child.start, child.end)
    parts.push(child.type === 'trak' && number++ === track ? editedTrack(film, child, edits) : bytes)
  }
  return Buffer.concat([film.subarray(0, moov.start), box('moov', parts), film.subarray(moov.end)])
}

type Box = NonNullable<ReturnType<typeof findBox>>

function editedTrack(film: Buffer, trak: Box, edits: Edit[]): Buffer {
  const mvhd = demandBox(film, 'moov/mvhd')
  const mdhd = demandBox(film, 'mdia/mdhd', trak)
  const [movieTicks, trackTicks] = [timescaleAt(film, mvhd), timescaleAt(film, mdhd)]
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
  const others = [...readBoxes(film, trak.content, trak.end)].filter(({ type }) => type !== 'edts')
  const [head, ...rest] = others.map(({ start, end }) => film.subarray(start, end))
  return box('trak', [...(head ? [head] : []), ...edts, ...rest])
}

function demandBox(bytes: Buffer, path: string, { content, end }: Partial<Box> = {}): Box {
  const found = findBox(bytes, path, content, end)
  if (!found) throw new Error(`there is no ${path}`)
  return found
}

const timescaleAt = (bytes: Buffer, { content }: Box) =>
  bytes.readUInt32BE(content + (bytes[content] === 1 ? 20 : 12))
