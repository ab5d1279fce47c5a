import { decodeTimes, findBox, readBoxes, type Sample } from './fmp4.ts'

/** The bytes of one `mdat`. Readers of boxes count them, so each holds several parts. */
const MDAT_BYTES = 8 * 2 ** 20
/** Proxies close connections on which nothing is sent, as while parts are encoded. */
const MAX_SILENCE_MS = 10_000
/** Least bytes that are returned at once, so that those who send them can end it in between. */
const CHUNK_BYTES = 2 ** 20
const MAX_U32 = 2 ** 32 - 1

/** A list of numbers, which a video has for each of its frames. */
class Numbers {
  length = 0
  #values = new Float64Array(1024)

  push(value: number): void {
    if (this.length === this.#values.length) {
      const grown = new Float64Array(2 * this.length)
      grown.set(this.#values)
      this.#values = grown
    }
    this.#values[this.length++] = value
  }

  *[Symbol.iterator](): Generator<number> {
    yield* this.#values.subarray(0, this.length)
  }
}

/** Values with how often each follows itself. */
class Runs {
  readonly counts = new Numbers()
  readonly values = new Numbers()
  #last: number | undefined
  #count = 0

  push(value: number): void {
    if (value !== this.#last) this.end()
    this.#last = value
    this.#count += 1
  }

  end(): void {
    if (this.#last === undefined || this.#count === 0) return
    this.counts.push(this.#count)
    this.values.push(this.#last)
    this.#count = 0
  }
}

/** The sample tables of a track, as they grow. */
class Track {
  readonly timescale: number
  readonly sizes = new Numbers()
  readonly durations = new Runs()
  readonly shifts = new Runs()
  readonly keys = new Numbers()
  readonly chunks = new Numbers()
  readonly samplesPerChunk = new Runs()
  /** When its first frame is shown. */
  startTicks: number | undefined
  endTicks = 0
  #lastDecode: number | undefined

  constructor(timescale: number) {
    this.timescale = timescale
  }

  add(samples: readonly Sample[], endTicks: number, offset: number): void {
    this.chunks.push(offset)
    this.samplesPerChunk.push(samples.length)
    const decoded = decodeTimes(samples, endTicks)
    this.startTicks ??= decoded[0] ?? 0
    for (const [i, { pts, isKey, data }] of samples.entries()) {
      const at = decoded[i] ?? 0
      if (this.#lastDecode !== undefined) this.durations.push(Math.max(0, at - this.#lastDecode))
      this.#lastDecode = at
      this.shifts.push(pts - at)
      this.sizes.push(data.length)
      if (isKey) this.keys.push(this.sizes.length)
    }
    this.endTicks = endTicks
  }

  /** The boxes of `stbl` besides `stsd`. */
  tables(): Buffer {
    this.durations.push(Math.max(1, this.endTicks - (this.#lastDecode ?? 0)))
    for (const runs of [this.durations, this.shifts, this.samplesPerChunk]) runs.end()
    const isInOrder = this.shifts.values.length === 1
    const allKeys = this.keys.length === this.sizes.length
    const chunkOffsets = Buffer.alloc(8 * this.chunks.length)
    let at = 0
    for (const offset of this.chunks) at = chunkOffsets.writeBigUInt64BE(BigInt(offset), at)
    return Buffer.concat([
      table('stts', pairs(this.durations)),
      // version 1: frames may be shown before the time at which they are decoded
      ...(isInOrder ? [] : [table('ctts', pairs(this.shifts), { version: 1 })]),
      ...(allKeys ? [] : [table('stss', numbers(this.keys))]),
      table('stsc', this.#chunkRuns(), { entryBytes: 12 }),
      table('stsz', numbers(this.sizes), { entryBytes: 4, before: Buffer.alloc(4) }),
      table('co64', chunkOffsets, { entryBytes: 8 }),
    ])
  }

  #chunkRuns(): Buffer {
    const counts = [...this.samplesPerChunk.counts]
    const bytes = Buffer.alloc(12 * counts.length)
    let first = 1
    for (const [i, samples] of [...this.samplesPerChunk.values].entries()) {
      bytes.writeUInt32BE(first, 12 * i)
      bytes.writeUInt32BE(samples, 12 * i + 4)
      bytes.writeUInt32BE(1, 12 * i + 8)
      first += counts[i] ?? 0
    }
    return bytes
  }
}

function numbers(values: Numbers): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  let at = 0
  for (const value of values) at = bytes.writeUInt32BE(value, at)
  return bytes
}

function pairs({ counts, values }: Runs): Buffer {
  const bytes = Buffer.alloc(8 * counts.length)
  let at = 0
  for (const count of counts) at = bytes.writeUInt32BE(count, at) + 4
  at = 4
  for (const value of values) at = bytes.writeInt32BE(value | 0, at) + 4
  return bytes
}

function box(type: string, ...contents: Buffer[]): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(contents.reduce((sum, { length }) => sum + length, 8))
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, ...contents])
}

const bytesPerEntry: Record<string, number> = { stts: 8, ctts: 8, stss: 4 }

/** A full box with a number of entries. */
function table(
  type: string,
  entries: Buffer,
  {
    version = 0,
    entryBytes = bytesPerEntry[type] ?? 4,
    before = Buffer.alloc(0),
  }: { version?: number; entryBytes?: number; before?: Buffer } = {},
): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(entries.length / entryBytes)
  return box(type, Buffer.from([version, 0, 0, 0]), before, count, entries)
}

/**
 * Writes an MP4 in one pass, without going back: the frames, then the tables. Every chunk of it is final, so it can be sent while it
 * is written. Memory grows by a few bytes for each frame.
 */
export class Mp4Writer {
  readonly #head: Buffer
  readonly #moov: Buffer
  readonly #tracks: Track[]
  #offset: number
  #pending: Buffer[] = []
  #pendingBytes = 0
  #flushedAt = performance.now()

  /** `init` is an init segment with all tracks, without fragments. */
  constructor(init: Buffer) {
    const moov = findBox(init, 'moov')
    if (!moov) throw new Error('init segment without moov')
    this.#head = box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2avc1mp41', 'latin1'))
    this.#moov = init.subarray(moov.start, moov.end)
    this.#tracks = [...readBoxes(this.#moov, 8)]
      .filter(({ type }) => type === 'trak')
      .map(({ start, end }) => new Track(timescaleOf(this.#moov.subarray(start, end))))
    this.#offset = this.#head.length
  }

  timescale(track: number): number {
    return this.#tracks[track]?.timescale ?? 1
  }

  /** Adds a part of a track; returns bytes of the file where enough are there. `endTicks` is where the next part begins. */
  add(track: number, samples: readonly Sample[], endTicks: number): Iterable<Buffer> {
    if (samples.length === 0) return []
    // the header of the `mdat` that holds it
    this.#tracks[track]?.add(samples, endTicks, this.#offset + 8 + this.#pendingBytes)
    for (const { data } of samples) {
      this.#pending.push(Buffer.from(data.buffer, data.byteOffset, data.byteLength))
      this.#pendingBytes += data.length
    }
    const isDue = performance.now() - this.#flushedAt > MAX_SILENCE_MS
    return isDue || this.#pendingBytes >= MDAT_BYTES ? this.#flush() : []
  }

  /** The rest of the file. */
  *end(): Generator<Buffer> {
    yield* this.#flush()
    yield this.#index()
  }

  #flush(): Iterable<Buffer> {
    if (this.#pendingBytes === 0) return []
    const header = Buffer.alloc(8)
    header.writeUInt32BE(8 + this.#pendingBytes)
    header.write('mdat', 4, 'latin1')
    const isFirst = this.#offset === this.#head.length
    const pieces = [...(isFirst ? [this.#head] : []), header, ...this.#pending]
    this.#offset += 8 + this.#pendingBytes
    this.#pending = []
    this.#pendingBytes = 0
    this.#flushedAt = performance.now()
    return chunks(pieces)
  }

  #index(): Buffer {
    const seconds = Math.max(...this.#tracks.map(({ endTicks, timescale }) => endTicks / timescale))
    let next = 0
    const rebuild = (bytes: Buffer, track: Track | undefined): Buffer => {
      const children = [...readBoxes(bytes, 8)].flatMap(({ type, start, end }) => {
        const child = bytes.subarray(start, end)
        if (type === 'mvex' || type === 'edts') return []
        if (type === 'mvhd') return [withDuration(child, seconds * timescaleIn(child), 16)]
        if (type === 'trak') return [rebuild(child, this.#tracks[next++])]
        if (type === 'tkhd')
          return [withDuration(child, seconds * movieTimescale, 20), ...delayOf(track, movieTimescale)]
        if (type === 'mdhd')
          return [withDuration(child, (track?.endTicks ?? 0) - (track?.startTicks ?? 0), 16)]
        if (type === 'mdia' || type === 'minf') return [rebuild(child, track)]
        if (type === 'stbl') return [box('stbl', descriptionIn(child), track?.tables() ?? Buffer.alloc(0))]
        return [child]
      })
      return box(bytes.toString('latin1', 4, 8), ...children)
    }
    const mvhd = findBox(this.#moov, 'moov/mvhd')
    const movieTimescale = mvhd ? timescaleIn(this.#moov.subarray(mvhd.start, mvhd.end)) : 1
    return rebuild(this.#moov, undefined)
  }
}

/** Joins pieces while they are taken: all at once would be as much memory again. */
function* chunks(pieces: readonly Buffer[]): Generator<Buffer> {
  let chunk: Buffer[] = []
  let length = 0
  for (const piece of pieces) {
    chunk.push(piece)
    length += piece.length
    if (length < CHUNK_BYTES) continue
    yield Buffer.concat(chunk)
    chunk = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(chunk)
}

/** An edit list for a track that begins later than the file: the first frame of its tables is always at 0. */
function delayOf(track: Track | undefined, movieTimescale: number): Buffer[] {
  const { startTicks = 0, endTicks = 0, timescale = 1 } = track ?? {}
  if (startTicks === 0) return []
  const edit = (ticks: number, mediaTime: number) => {
    const bytes = Buffer.alloc(12)
    bytes.writeUInt32BE(Math.round((ticks / timescale) * movieTimescale))
    bytes.writeInt32BE(mediaTime, 4)
    bytes.writeUInt16BE(1, 8)
    return bytes
  }
  const edits = Buffer.concat([edit(startTicks, -1), edit(endTicks - startTicks, 0)])
  return [box('edts', table('elst', edits, { entryBytes: 12 }))]
}

function descriptionIn(stbl: Buffer): Buffer {
  const stsd = findBox(stbl, 'stbl/stsd')
  return stsd ? stbl.subarray(stsd.start, stsd.end) : Buffer.alloc(0)
}

/** Ticks per second of an `mvhd` or `mdhd`. */
const timescaleIn = (header: Buffer) => header.readUInt32BE(header[8] === 1 ? 28 : 20)

function timescaleOf(trak: Buffer): number {
  const mdhd = findBox(trak, 'trak/mdia/mdhd')
  if (!mdhd) throw new Error('track without a header')
  return timescaleIn(trak.subarray(mdhd.start, mdhd.end))
}

/** A header with a duration, which lies `at` bytes after its beginning in version 0. */
function withDuration(header: Buffer, ticks: number, at: number): Buffer {
  const changed = Buffer.from(header)
  const isLong = header[8] === 1
  const duration = Math.round(ticks)
  if (isLong) changed.writeBigUInt64BE(BigInt(duration), 8 + at + 8)
  else changed.writeUInt32BE(Math.min(duration, MAX_U32), 8 + at)
  return changed
}
