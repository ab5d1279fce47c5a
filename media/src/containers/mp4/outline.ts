import { BoxReader, type Place } from './boxes.ts'
import { countFrames, hasImplausibleFragment, isImplausible, noFrames } from './frame-counts.ts'
import type { SourceRanges } from '../../source/source-bytes.ts'

/** Metadata of an MP4 that is read before any frame is located. */
export type Mp4Outline = {
  /** By track id. */
  shown: Map<number, PresentedRange>
  /** The sample tables state more frames than the file has bytes for. */
  isImplausible: boolean
  /** Fragments follow frames of the sample tables, as recorders write them that finalize a file periodically. */
  continuesInFragments: boolean
}

/**
 * Part of a track that its edit list (ISO/IEC 14496-12, 8.6.6) presents: one range on the clock of the presentation, to
 * the end of the track if `endSeconds` is null. `unsupported` are unsupported edit lists, such as several ranges, and
 * tracks with several sample descriptions: one init segment cannot describe all of their frames.
 */
export type PresentedRange = 'unsupported' | { startSeconds: number; endSeconds: number | null }

/**
 * One entry of an edit list. `ticks` is in the timescale of the movie, `from` in that of the track; -1 is an empty
 * edit.
 */
export type Edit = { ticks: number; from: number; rate: number }

const MAX_EDITS = 10_000

/** Reads the outline of an MP4; undefined if it has no `moov`. */
export async function readMp4Outline(file: SourceRanges): Promise<Mp4Outline | undefined> {
  const boxes = new BoxReader(file)
  for await (const { type, content, end } of boxes.children(0, file.sizeBytes)) {
    if (type !== 'moov') continue
    const movie = await readMovie(boxes, { start: content, end }, file.sizeBytes)
    const liesLater = movie.isFragmented && (await hasImplausibleFragment(file, end))
    return {
      shown: movie.shown,
      isImplausible: movie.isImplausible || liesLater,
      continuesInFragments: movie.hasFrames && (await hasFragment(boxes, end, file.sizeBytes)),
    }
  }
  return undefined
}

async function hasFragment(boxes: BoxReader, from: number, to: number): Promise<boolean> {
  for await (const { type } of boxes.children(from, to)) if (type === 'moof') return true
  return false
}

/** Range of a track that its edit list presents. Fragmented recordings state no length there. */
export function presentedRange(
  edits: Edit[],
  { movieTicks, trackTicks, isFragmented }: { movieTicks: number; trackTicks: number; isFragmented: boolean },
): PresentedRange {
  const at = edits.findIndex(({ from }) => from >= 0)
  const range = edits[at]
  if (!range) return edits.length === 0 ? { startSeconds: 0, endSeconds: null } : 'unsupported'
  if (range.rate !== 1 || at + 1 < edits.length || !(movieTicks > 0 && trackTicks > 0)) return 'unsupported'
  const toTrack = (ticks: number) => Math.round((ticks * trackTicks) / movieTicks)
  const delay = toTrack(edits.slice(0, at).reduce((sum, { ticks }) => sum + ticks, 0))
  const isOpen = isFragmented || range.ticks === 0
  return {
    startSeconds: delay / trackTicks,
    endSeconds: isOpen ? null : (delay + toTrack(range.ticks)) / trackTicks,
  }
}

type Track = {
  id: number
  isAudio: boolean
  ticks: number
  edits: Edit[]
  /** Number of sample descriptions (`stsd`). */
  descriptions: number
  hasFrames: boolean
  isImplausible: boolean
}

async function readMovie(boxes: BoxReader, moov: Place, sizeBytes: number) {
  let movieTicks = 0
  let isFragmented = false
  const found: Track[] = []
  for await (const { type, content: start, end } of boxes.children(moov.start, moov.end)) {
    if (type === 'mvhd') movieTicks = await readTimescale(boxes, start)
    if (type === 'mvex') isFragmented = true
    if (type === 'trak') found.push(await readTrack(boxes, { start, end }, sizeBytes))
  }
  return {
    isFragmented,
    hasFrames: found.some((track) => track.hasFrames),
    isImplausible: found.some((track) => track.isImplausible),
    shown: new Map(
      found.map(({ id, ticks: trackTicks, edits, descriptions }) => [
        id,
        descriptions > 1 ? 'unsupported' : presentedRange(edits, { movieTicks, trackTicks, isFragmented }),
      ]),
    ),
  }
}

async function readTrack(boxes: BoxReader, trak: Place, sizeBytes: number): Promise<Track> {
  const track: Track = {
    id: Number.NaN,
    isAudio: false,
    ticks: 0,
    edits: [],
    descriptions: 0,
    hasFrames: false,
    isImplausible: false,
  }
  let counts = noFrames
  const walk = async (place: Place): Promise<void> => {
    for await (const { type, content: start, end } of boxes.children(place.start, place.end)) {
      if (['edts', 'mdia', 'minf', 'stbl'].includes(type)) await walk({ start, end })
      if (type === 'tkhd') track.id = await readNumberAfter(boxes, start, [12, 20])
      if (type === 'mdhd') track.ticks = await readTimescale(boxes, start)
      if (type === 'hdlr') track.isAudio = (await boxes.read(start + 8, 4))?.toString('latin1') === 'soun'
      if (type === 'stsd') track.descriptions = (await boxes.read(start + 4, 4))?.readUInt32BE() ?? 0
      if (type === 'elst') track.edits = await readEdits(boxes, { start, end })
      counts = { ...counts, ...(await countFrames(boxes, type, { start, end }, track.isAudio)) }
    }
  }
  await walk(trak)
  return { ...track, hasFrames: counts.stszFrames > 0, isImplausible: isImplausible(counts, sizeBytes) }
}

/** A number whose offset is larger in version 1 of a box. */
async function readNumberAfter(
  boxes: BoxReader,
  start: number,
  [short, long]: [number, number],
): Promise<number> {
  const version = (await boxes.read(start, 4))?.[0] ?? 0
  return (await boxes.read(start + (version === 1 ? long : short), 4))?.readUInt32BE() ?? Number.NaN
}

const readTimescale = (boxes: BoxReader, start: number) => readNumberAfter(boxes, start, [12, 20])

async function readEdits(boxes: BoxReader, { start, end }: Place): Promise<Edit[]> {
  const head = await boxes.read(start, 8)
  const isLong = head?.[0] === 1
  const entryBytes = isLong ? 20 : 12
  const count = Math.min(head?.readUInt32BE(4) ?? 0, MAX_EDITS, Math.floor((end - start - 8) / entryBytes))
  const table = (await boxes.read(start + 8, Math.max(0, count) * entryBytes)) ?? Buffer.alloc(0)
  return Array.from({ length: table.length / entryBytes }, (_, i) => {
    const at = i * entryBytes
    return {
      ticks: isLong ? Number(table.readBigUInt64BE(at)) : table.readUInt32BE(at),
      from: isLong ? Number(table.readBigInt64BE(at + 8)) : table.readInt32BE(at + 4),
      rate: table.readInt32BE(at + entryBytes - 4) / 65_536,
    }
  })
}
