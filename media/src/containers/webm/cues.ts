import { open } from 'node:fs/promises'
import { EBML_HEADER, readElement, readElements, readUnsigned, SEGMENT } from './ebml.ts'

/** Bytes read first: everything before the first cluster, including the seek head. */
const HEAD_BYTES = 64 * 1024
/** Two million cues. A larger index is made to exhaust memory. */
const MAX_CUES_BYTES = 64 * 2 ** 20

const SEEK_HEAD = 0x114d9b74
const SEEK = 0x4dbb
const SEEK_ID = 0x53ab
const SEEK_POSITION = 0x53ac
const INFO = 0x1549a966
const TIMESTAMP_SCALE = 0x2ad7b1
const CUES = 0x1c53bb6b
const CUE_POINT = 0xbb
const CUE_TIME = 0xb3
const CUE_TRACK_POSITIONS = 0xb7
const CUE_TRACK = 0xf7

/**
 * Cue times of one track in seconds, sorted; empty if the file has no cues. They are not verified against the frames.
 */
export async function readCueTimes(path: string, trackNumber: number): Promise<number[]> {
  const file = await open(path)
  try {
    const read = async (from: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from)
      return buffer.subarray(0, bytesRead)
    }
    const head = readHead(await read(0, HEAD_BYTES))
    if (head?.cuesAt === undefined) return []
    const cues = readElement(await read(head.cuesAt, 16), 0)
    if (cues?.id !== CUES || cues.end === undefined || cues.end > MAX_CUES_BYTES) return []
    return cueTimes(
      (await read(head.cuesAt, cues.end)).subarray(cues.content),
      trackNumber,
      head.secondsPerTick,
    )
  } finally {
    await file.close()
  }
}

/** Offset of the cues, and the unit of their times. */
function readHead(bytes: Buffer): { cuesAt: number | undefined; secondsPerTick: number } | undefined {
  const header = readElement(bytes, 0)
  const segment = header?.id === EBML_HEADER ? readElement(bytes, header.end ?? bytes.length) : undefined
  if (segment?.id !== SEGMENT) return undefined
  const children = (from: number, to: number) => [...readElements(bytes, from, to)]
  const readNumber = ({ content, end }: { content: number; end: number }) =>
    Number(readUnsigned(bytes, content, end))
  let cuesAt: number | undefined
  let secondsPerTick = 1e-3
  for (const { id, content, end } of readElements(bytes, segment.content, bytes.length)) {
    if (id === INFO) {
      const scale = children(content, end).find((each) => each.id === TIMESTAMP_SCALE)
      if (scale) secondsPerTick = readNumber(scale) / 1e9
    }
    if (id !== SEEK_HEAD) continue
    for (const seek of children(content, end).filter((each) => each.id === SEEK)) {
      const parts = children(seek.content, seek.end)
      const target = parts.find((each) => each.id === SEEK_ID)
      const position = parts.find((each) => each.id === SEEK_POSITION)
      if (target && position && readNumber(target) === CUES) cuesAt = segment.content + readNumber(position)
    }
  }
  return { cuesAt, secondsPerTick }
}

function cueTimes(bytes: Buffer, trackNumber: number, secondsPerTick: number): number[] {
  const times = new Set<number>()
  const track = BigInt(trackNumber)
  for (const point of readElements(bytes, 0, bytes.length)) {
    if (point.id !== CUE_POINT) continue
    let time: bigint | undefined
    let isOfTrack = false
    for (const { id, content, end } of readElements(bytes, point.content, point.end)) {
      if (id === CUE_TIME) time = readUnsigned(bytes, content, end)
      if (id !== CUE_TRACK_POSITIONS) continue
      for (const each of readElements(bytes, content, end)) {
        if (each.id === CUE_TRACK && readUnsigned(bytes, each.content, each.end) === track) isOfTrack = true
      }
    }
    if (time !== undefined && isOfTrack) times.add(Number(time) * secondsPerTick)
  }
  return [...times].toSorted((a, b) => a - b)
}
