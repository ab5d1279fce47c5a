/** Fragmented MP4, as far as segments need it: one track, read from ffmpeg and written again in one canonical form. */

/** One coded frame. Times are ticks of the track's timescale. */
export type Sample = { pts: number; isKey: boolean; data: Uint8Array }

/** A moof and its mdat. */
export type Fragment = { samples: Sample[] }

type Box = { type: string; start: number; content: number; end: number }

/** The boxes directly inside a byte range. Stops at a truncated box. */
export function* readBoxes(bytes: Buffer, from = 0, to = bytes.length): Generator<Box> {
  let at = from
  while (at + 8 <= to) {
    let size = bytes.readUInt32BE(at)
    let content = at + 8
    if (size === 1) {
      if (at + 16 > to) return
      size = Number(bytes.readBigUInt64BE(at + 8))
      content = at + 16
    }
    if (size < content - at || at + size > to) return
    yield { type: bytes.toString('latin1', at + 4, at + 8), start: at, content, end: at + size }
    at += size
  }
}

/** A box by its path, like `moov/trak/mdia/mdhd`. */
export function findBox(bytes: Buffer, path: string, from = 0, to = bytes.length): Box | undefined {
  const [type, ...rest] = path.split('/')
  for (const box of readBoxes(bytes, from, to)) {
    if (box.type !== type) continue
    return rest.length === 0 ? box : findBox(bytes, rest.join('/'), box.content, box.end)
  }
  return undefined
}

/** Size of `av1C` before its OBUs, and the first byte of a sequence header that states its size (AV1, section 5.3.2). */
const AV1C_FIELDS = 4
const SEQUENCE_HEADER = 0x0a

/**
 * The init segment with the sequence header of its first frame. SVT-AV1 states another one in advance, before it has chosen
 * its tools; both are of the same size. Throws if they are not.
 */
export function withSequenceHeader(init: Buffer, frame: Uint8Array): Buffer {
  const at = init.indexOf('av1C', 'latin1') + 4 + AV1C_FIELDS
  const [from] = [0, 2].filter((offset) => frame[offset] === SEQUENCE_HEADER)
  const size = init.readUInt8(at + 1) + 2
  if (from === undefined || init[at] !== SEQUENCE_HEADER || frame[from + 1] !== size - 2)
    throw new Error('AV1 frame without the sequence header of its init segment')
  const changed = Buffer.from(init)
  changed.set(frame.subarray(from, from + size), at)
  return changed
}

/** Ticks per second of the first track of an init segment. */
export function readTimescale(init: Buffer): number {
  const box = findBox(init, 'moov/trak/mdia/mdhd')
  if (!box) throw new Error('init segment without a track')
  return init.readUInt32BE(box.content + (init[box.content] === 1 ? 20 : 12))
}

/** Splits the byte stream of a fragmenting muxer into the init segment and complete fragments. */
export class FragmentReader {
  #pending = Buffer.alloc(0)
  #wanted = 8
  #chunks: Buffer[] = []
  #size = 0
  #init: Buffer[] = []
  #moof: Buffer | undefined
  readonly #onFragment: (fragment: Fragment) => void

  constructor(onFragment: (fragment: Fragment) => void) {
    this.#onFragment = onFragment
  }

  /** The init segment. Complete once the first fragment was read or the stream has ended. */
  get init(): Buffer {
    return Buffer.concat(this.#init)
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    // Concatenating for every chunk would copy a large mdat many times.
    if (this.#size < this.#wanted) return
    this.#pending = Buffer.concat(this.#chunks)
    let consumed = 0
    for (const box of readBoxes(this.#pending)) {
      this.#take(box.type, this.#pending.subarray(box.start, box.end))
      consumed = box.end
    }
    const rest = this.#pending.subarray(consumed)
    this.#wanted = rest.length >= 8 ? Math.max(8, rest.readUInt32BE(0)) : 8
    this.#chunks = [rest]
    this.#size = rest.length
  }

  #take(type: string, bytes: Buffer): void {
    if (type === 'ftyp' || type === 'moov') this.#init.push(bytes)
    if (type === 'moof') this.#moof = bytes
    if (type === 'mdat' && this.#moof) {
      this.#onFragment(readFragment(this.#moof, bytes))
      this.#moof = undefined
    }
  }
}

const DEFAULT_BASE_IS_MOOF = 0x020000
const SAMPLE_IS_NON_SYNC = 0x010000

/** Reads the samples of a moof/mdat pair of one track. */
function readFragment(moof: Buffer, mdat: Buffer): Fragment {
  const traf = findBox(moof, 'moof/traf')
  const tfhd = traf && findBox(moof, 'tfhd', traf.content, traf.end)
  const tfdt = traf && findBox(moof, 'tfdt', traf.content, traf.end)
  if (!traf || !tfhd || !tfdt) throw new Error('fragment without a track or a time')
  const defaults = readDefaults(moof, tfhd)
  let dts =
    moof[tfdt.content] === 1
      ? Number(moof.readBigInt64BE(tfdt.content + 4))
      : moof.readUInt32BE(tfdt.content + 4)
  let offset = 0
  const samples: Sample[] = []
  for (const box of readBoxes(moof, traf.content, traf.end)) {
    if (box.type !== 'trun') continue
    const flags = moof.readUInt32BE(box.content) & 0xffffff
    const count = moof.readUInt32BE(box.content + 4)
    let at = box.content + 8
    if (flags & 0x1) {
      offset = moof.readInt32BE(at) - moof.length
      at += 4
    }
    let firstFlags: number | undefined
    if (flags & 0x4) {
      firstFlags = moof.readUInt32BE(at)
      at += 4
    }
    const next = () => {
      at += 4
      return moof.readUInt32BE(at - 4)
    }
    for (let i = 0; i < count; i++) {
      const duration = flags & 0x100 ? next() : defaults.duration
      const size = flags & 0x200 ? next() : defaults.size
      const ownFlags =
        flags & 0x400 ? next() : i === 0 && firstFlags !== undefined ? firstFlags : defaults.flags
      const shift = flags & 0x800 ? next() | 0 : 0
      samples.push({
        pts: dts + shift,
        isKey: (ownFlags & SAMPLE_IS_NON_SYNC) === 0,
        data: mdat.subarray(offset, offset + size),
      })
      offset += size
      dts += duration
    }
  }
  return { samples }
}

function readDefaults(moof: Buffer, tfhd: Box): { duration: number; size: number; flags: number } {
  const flags = moof.readUInt32BE(tfhd.content) & 0xffffff
  let at = tfhd.content + 8
  const optional = (bit: number, length: number) => {
    if (!(flags & bit)) return 0
    at += length
    return moof.readUInt32BE(at - 4)
  }
  optional(0x1, 8)
  optional(0x2, 4)
  const duration = optional(0x8, 4)
  const size = optional(0x10, 4)
  return { duration, size, flags: optional(0x20, 4) }
}

/**
 * Decode times of samples: the sorted presentation times, or earlier ones, so that no frame lasts beyond the end of the segment.
 * Players take presentation time and duration as the end of a frame, and hls.js moves the next segment there. The
 * duration of a pause would fall to a frame that is decoded before the pause and shown after it.
 */
export function decodeTimes(samples: readonly Sample[], endTicks: number): number[] {
  const shown = samples.map(({ pts }) => pts).toSorted((a, b) => a - b)
  let next = shown[0] ?? 0
  return samples.map(({ pts }, i) => {
    const current = next
    const latest = current + Math.max(0, endTicks - pts)
    next = Math.min(shown[i + 1] ?? endTicks, latest)
    return current
  })
}

/** Most bytes that `writeSegment` adds: for each frame, and for the boxes around them. */
export const FRAME_BYTES = 16
export const SEGMENT_BYTES = 104

const SYNC = 0x02000000
const NON_SYNC = 0x01010000

/**
 * Writes one segment: a moof and an mdat. Samples are in decode order. Decode times depend on the presentation times alone,
 * so that a segment joins those of other runs without a gap. `endTicks` is where the next frame starts. What all samples
 * have in common is stated once: 16 bytes for each AAC frame would be a tenth of audio for slow connections.
 */
export function writeSegment(sequence: number, samples: Sample[], endTicks: number, track = 1): Buffer {
  const decoded = decodeTimes(samples, endTicks)
  const start = decoded[0] ?? 0
  const durations = samples.map((_, i) => (decoded[i + 1] ?? endTicks) - (decoded[i] ?? 0))
  const shifts = samples.map((sample, i) => sample.pts - (decoded[i] ?? 0))
  const isSteady = durations.every((duration) => duration === durations[0])
  const isInOrder = shifts.every((shift) => shift === 0)
  const keys = samples.filter(({ isKey }) => isKey).length
  const beginsWithOnlyKey = keys === 1 && samples.length > 1 && samples[0]?.isKey === true
  const isUniform = beginsWithOnlyKey || keys === samples.length
  const perSample = 4 * (1 + Number(!isSteady) + Number(!isUniform) + Number(!isInOrder))
  const tfhdSize = 16 + 4 * (Number(isSteady) + Number(isUniform))
  const trunSize = 20 + 4 * Number(beginsWithOnlyKey) + samples.length * perSample
  const trafSize = 8 + tfhdSize + 20 + trunSize
  const moofSize = 8 + 16 + trafSize
  const dataSize = samples.reduce((sum, sample) => sum + sample.data.length, 0)
  const bytes = Buffer.alloc(moofSize + 8 + dataSize)
  let at = 0
  const u32 = (value: number) => {
    at = bytes.writeUInt32BE(value >>> 0, at)
  }
  const box = (size: number, type: string) => {
    u32(size)
    at += bytes.write(type, at, 'latin1')
  }
  box(moofSize, 'moof')
  box(16, 'mfhd')
  u32(0)
  u32(sequence)
  box(trafSize, 'traf')
  box(tfhdSize, 'tfhd')
  u32(DEFAULT_BASE_IS_MOOF | (isSteady ? 0x8 : 0) | (isUniform ? 0x20 : 0))
  u32(track)
  if (isSteady) u32(durations[0] ?? 0)
  if (isUniform) u32(beginsWithOnlyKey ? NON_SYNC : SYNC)
  box(20, 'tfdt')
  u32(1 << 24)
  at = bytes.writeBigUInt64BE(BigInt(Math.max(0, start)), at)
  box(trunSize, 'trun')
  const stated =
    0x201 |
    (beginsWithOnlyKey ? 0x4 : 0) |
    (isSteady ? 0 : 0x100) |
    (isUniform ? 0 : 0x400) |
    (isInOrder ? 0 : 0x800)
  u32((1 << 24) | stated)
  u32(samples.length)
  u32(moofSize + 8)
  if (beginsWithOnlyKey) u32(SYNC)
  samples.forEach((sample, i) => {
    if (!isSteady) u32(durations[i] ?? 0)
    u32(sample.data.length)
    if (!isUniform) u32(sample.isKey ? SYNC : NON_SYNC)
    if (!isInOrder) u32(shifts[i] ?? 0)
  })
  box(8 + dataSize, 'mdat')
  for (const sample of samples) {
    bytes.set(sample.data, at)
    at += sample.data.length
  }
  return bytes
}
