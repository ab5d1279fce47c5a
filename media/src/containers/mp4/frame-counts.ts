import { BoxReader, type Place } from './boxes.ts'
import type { SourceRanges } from '../../source/source-bytes.ts'

/** Number of frames of a track according to each of its tables. */
export type FrameCounts = {
  stszFrames: number
  /** Size of every frame; 0 if `stsz` lists a size for each. */
  commonFrameBytes: number
  sttsFrames: number
  maxFramesPerChunk: number
  /** PCM audio, whose frames are single samples. No reader builds a table of them. */
  isPcm: boolean
  /** `stsz` states more sizes than its box has room for. */
  isTruncated: boolean
}

export const noFrames: FrameCounts = {
  stszFrames: 0,
  commonFrameBytes: 0,
  sttsFrames: 0,
  maxFramesPerChunk: 0,
  isPcm: false,
  isTruncated: false,
}

/** Below this limit a table uses too little memory to do harm. Some writers count wrongly. */
const MAX_UNPROVEN_FRAMES = 1_000_000
/** A hundred hours at 30 frames per second. */
const MAX_FRAMES = 10_800_000

/**
 * Whether tables state more frames than the file has room for, or than any real video has. Such files are made to
 * exhaust memory.
 */
export function isImplausible(counts: FrameCounts, sizeBytes: number): boolean {
  const { stszFrames, commonFrameBytes, sttsFrames, maxFramesPerChunk, isPcm, isTruncated } = counts
  const most = Math.max(stszFrames, sttsFrames, maxFramesPerChunk)
  if (most <= MAX_UNPROVEN_FRAMES || isPcm) return false
  return most > stszFrames || isTruncated || stszFrames * commonFrameBytes > sizeBytes || most > MAX_FRAMES
}

/** Counts stated by one box of a track. Empty for boxes that are no sample tables. */
export async function countFrames(
  boxes: BoxReader,
  type: string,
  place: Place,
  isAudio: boolean,
): Promise<Partial<FrameCounts>> {
  if (type === 'stsz') {
    const head = await boxes.read(place.start, 12)
    if (!head) return {}
    const [commonFrameBytes, stszFrames] = [head.readUInt32BE(4), head.readUInt32BE(8)]
    return {
      stszFrames,
      commonFrameBytes,
      isTruncated: commonFrameBytes === 0 && stszFrames * 4 > place.end - place.start - 12,
    }
  }
  if (type === 'stts') {
    let [sttsFrames, rows, isPcm] = [0, 0, false]
    for await (const table of tableOf(boxes, place, TIME_ROW_BYTES)) {
      for (let row = 0; row < table.length; row += TIME_ROW_BYTES) {
        sttsFrames += table.readUInt32BE(row)
        rows += 1
        isPcm = isAudio && rows === 1 && table.readUInt32BE(row + 4) === 1
      }
    }
    return { sttsFrames, isPcm }
  }
  if (type === 'stsc') {
    let maxFramesPerChunk = 0
    for await (const table of tableOf(boxes, place, CHUNK_ROW_BYTES)) {
      for (let row = 0; row < table.length; row += CHUNK_ROW_BYTES) {
        maxFramesPerChunk = Math.max(maxFramesPerChunk, table.readUInt32BE(row + 4))
      }
    }
    return { maxFramesPerChunk }
  }
  return {}
}

/** `stts`: number of frames, ticks of each. */
const TIME_ROW_BYTES = 8
/** `stsc`: first chunk, frames per chunk, sample description. */
const CHUNK_ROW_BYTES = 12
/** A multiple of every row. */
const BYTES_AT_ONCE = 48 * 1024

/** The rows of a table, many at a time, after version, flags and row count. Stops where the file ends. */
async function* tableOf(boxes: BoxReader, { start, end }: Place, rowBytes: number): AsyncGenerator<Buffer> {
  const stated = (await boxes.read(start + 4, 4))?.readUInt32BE() ?? 0
  const last = start + 8 + Math.min(stated * rowBytes, end - start - 8 - ((end - start - 8) % rowBytes))
  for (let at = start + 8; at < last; at += BYTES_AT_ONCE) {
    const bytes = await boxes.read(at, Math.min(BYTES_AT_ONCE, last - at))
    if (!bytes) return
    yield bytes
  }
}

/** Later fragments of long recordings are limited by the reader instead. */
const SAMPLED_FRAGMENTS = 64
const FRAGMENT_WINDOW_BYTES = 16 * 1024

/** Whether one of the first fragments after an offset states more frames than the file has room for. */
export async function hasImplausibleFragment(file: SourceRanges, from: number): Promise<boolean> {
  const boxes = new BoxReader(file, FRAGMENT_WINDOW_BYTES)
  let [fragments, frames] = [0, 0]
  const walk = async (place: Place): Promise<void> => {
    for await (const { type, content: start, end } of boxes.children(place.start, place.end)) {
      if (type === 'moof' && (fragments += 1) > SAMPLED_FRAGMENTS) return
      if (type === 'moof' || type === 'traf') await walk({ start, end })
      // a frame takes at least one byte
      if (type === 'trun') frames += (await boxes.read(start + 4, 4))?.readUInt32BE() ?? 0
    }
  }
  await walk({ start: from, end: file.sizeBytes })
  return frames > MAX_UNPROVEN_FRAMES && frames > file.sizeBytes
}
