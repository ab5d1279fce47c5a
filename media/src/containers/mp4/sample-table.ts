/** Payloads of the boxes that locate the frames of an MP4. */
export type SampleBoxes = {
  stts: Uint8Array
  ctts?: Uint8Array | undefined
  stss?: Uint8Array | undefined
  stsz: Uint8Array
  stsc: Uint8Array
  stco?: Uint8Array | undefined
  co64?: Uint8Array | undefined
}

/** One coded frame. Times are ticks of the track's timescale. */
export type TableSample = {
  number: number
  offset: number
  size: number
  pts: number
  duration: number
  isKey: boolean
}

/** Run-length table: the first frame of each run. */
type Runs = { starts: Uint32Array; total: number }

/**
 * The frames of one track of an MP4 (ISO/IEC 14496-12, 8.6 and 8.7), numbered in decode order. Keeps the tables in the
 * form of the file, four to sixteen bytes a frame, and finds entries by binary search.
 */
export class SampleTable {
  readonly count: number
  readonly #sizes: Uint32Array | number
  readonly #times: Runs & { deltas: Uint32Array; ticks: Float64Array }
  readonly #shifts: (Runs & { ticks: Int32Array }) | undefined
  readonly #keys: Uint32Array | undefined
  readonly #chunks: Runs & { first: Uint32Array; samplesEach: Uint32Array }
  readonly #chunkOffsets: Uint32Array | Float64Array

  /**
   * Throws `RangeError` for inconsistent tables and for frame orders that no camera or encoder writes. Another reader
   * may support those. Takes ownership of the bytes.
   */
  constructor({ stts, ctts, stss, stsz, stsc, stco, co64 }: SampleBoxes) {
    const sizes = words(stsz)
    this.count = sizes[2] ?? 0
    this.#sizes = sizes[1] || sizes.subarray(3, assert(3 + this.count, sizes.length))
    this.#times = readTimes(words(stts))
    this.#shifts = ctts && readShifts(words(ctts))
    this.#keys = stss && readKeys(words(stss))
    this.#chunkOffsets = co64
      ? readLongOffsets(words(co64))
      : readColumn(words(stco ?? new Uint8Array(8)), 1, 0)
    this.#chunks = readChunks(words(stsc), this.#chunkOffsets.length)
    if (this.#times.total !== this.count || this.#chunks.total < this.count)
      throw new RangeError('the sample tables are of different lengths')
    // otherwise every lookup by time would have to sort all frames
    if (this.#shifts && !this.#keys) throw new RangeError('keyframes are shown in another order')
    this.#assertKeysInOrder()
  }

  /** The last keyframe at or before a time. */
  keyAt(ticks: number): number | undefined {
    const keys = this.#keys
    if (keys) {
      const place = lastNotAfter(keys.length, ticks, (i) => this.#pts(keys[i] ?? 0))
      return place < 0 ? undefined : keys[place]
    }
    const { starts, deltas, ticks: begins, total } = this.#times
    const run = lastNotAfter(begins.length, ticks, (i) => begins[i] ?? 0)
    if (run < 0 || total === 0) return undefined
    const within = Math.floor((ticks - (begins[run] ?? 0)) / (deltas[run] || 1))
    return Math.min((starts[run] ?? 0) + within, (starts[run + 1] ?? total) - 1)
  }

  /** The keyframes in presentation order. */
  *keys(): Generator<TableSample> {
    if (!this.#keys) yield* this.samples(0, this.count)
    for (const key of this.#keys ?? []) yield* this.samples(key, key + 1)
  }

  /** The number of the frame with the latest presentation time; the table must not be empty. */
  lastShown(): number {
    let last = this.count - 1
    let lastPts = this.#pts(last)
    const { starts, total } = this.#shifts ?? { starts: [], total: 0 }
    // of the frames with one composition offset, the last one in decode order
    for (let run = 0; run < starts.length; run++) {
      const number = Math.min(starts[run + 1] ?? total, this.count) - 1
      const pts = this.#pts(number)
      if (pts > lastPts) [last, lastPts] = [number, pts]
    }
    return last
  }

  /** Whether every frame has bytes that end within a file of this size. */
  isWithin(sizeBytes: number): boolean {
    let number = 0
    while (number < this.count) {
      let { offset: end, chunkEnd } = this.#placeOf(number)
      for (; number < Math.min(chunkEnd, this.count); number++) {
        const size = this.#size(number)
        if (size === 0) return false
        end += size
      }
      if (!(end <= sizeBytes)) return false
    }
    return true
  }

  /** Frames from one number up to another, exclusive. */
  *samples(from: number, to: number): Generator<TableSample> {
    let offset = Number.NaN
    let chunkEnd = -1
    for (let number = from; number < Math.min(to, this.count); number++) {
      if (number >= chunkEnd) ({ offset, chunkEnd } = this.#placeOf(number))
      const size = this.#size(number)
      yield {
        number,
        offset,
        size,
        pts: this.#pts(number),
        duration: this.#times.deltas[runOf(this.#times, number)] ?? 0,
        isKey: this.#isKey(number),
      }
      offset += size
    }
  }

  #size(number: number): number {
    return typeof this.#sizes === 'number' ? this.#sizes : (this.#sizes[number] ?? 0)
  }

  #pts(number: number): number {
    const { starts, deltas, ticks } = this.#times
    const run = runOf(this.#times, number)
    const dts = (ticks[run] ?? 0) + (number - (starts[run] ?? 0)) * (deltas[run] ?? 0)
    const isShifted = this.#shifts !== undefined && number < this.#shifts.total
    return isShifted ? dts + (this.#shifts?.ticks[runOf(this.#shifts, number)] ?? 0) : dts
  }

  #isKey(number: number): boolean {
    const keys = this.#keys
    return !keys || keys[lastNotAfter(keys.length, number, (i) => keys[i] ?? 0)] === number
  }

  /** The offset of a frame, and the number of the first frame of the next chunk. */
  #placeOf(number: number): { offset: number; chunkEnd: number } {
    const { starts, first, samplesEach } = this.#chunks
    const run = runOf(this.#chunks, number)
    const each = samplesEach[run] ?? 1
    const inRun = Math.floor((number - (starts[run] ?? 0)) / each)
    const chunkStart = (starts[run] ?? 0) + inRun * each
    let offset = this.#chunkOffsets[(first[run] ?? 0) + inRun] ?? Number.NaN
    if (typeof this.#sizes === 'number') offset += this.#sizes * (number - chunkStart)
    else for (let before = chunkStart; before < number; before++) offset += this.#sizes[before] ?? 0
    return { offset, chunkEnd: chunkStart + each }
  }

  #assertKeysInOrder(): void {
    let [before, shownBefore] = [-1, Number.NEGATIVE_INFINITY]
    for (const key of this.#keys ?? []) {
      const shown = this.#pts(key)
      if (key <= before || key >= this.count || shown <= shownBefore)
        throw new RangeError('keyframes are shown in another order')
      before = key
      shownBefore = shown
    }
  }
}

/** Big-endian 32-bit numbers, converted in place. */
function words(bytes: Uint8Array): Uint32Array {
  const length = bytes.byteLength >>> 2
  const whole = bytes.subarray(0, length * 4)
  const aligned = whole.byteOffset % 4 === 0 ? whole : Uint8Array.from(whole)
  Buffer.from(aligned.buffer, aligned.byteOffset, aligned.byteLength).swap32()
  return new Uint32Array(aligned.buffer, aligned.byteOffset, length)
}

function assert(wanted: number, there: number): number {
  if (wanted > there) throw new RangeError('a sample table is cut off')
  return wanted
}

/** One column of a box. The row count follows version and flags. */
function readColumn(box: Uint32Array, width: number, column: number): Uint32Array {
  const rows = box[1] ?? 0
  assert(2 + rows * width, box.length)
  if (width === 1) return box.subarray(2, 2 + rows)
  const read = new Uint32Array(rows)
  for (let row = 0; row < rows; row++) read[row] = box[2 + row * width + column] ?? 0
  return read
}

/** Converts run lengths into the number of the first frame of each run, in place. */
function sumUp(counts: Uint32Array): Runs {
  let total = 0
  for (let run = 0; run < counts.length; run++) {
    const count = counts[run] ?? 0
    counts[run] = total
    total += count
    if (total >= 2 ** 32) throw new RangeError('more frames than can be counted')
  }
  return { starts: counts, total }
}

function readTimes(stts: Uint32Array) {
  const deltas = readColumn(stts, 2, 1)
  const runs = sumUp(readColumn(stts, 2, 0))
  const ticks = new Float64Array(deltas.length)
  for (let run = 1; run < ticks.length; run++) {
    const before = (runs.starts[run] ?? 0) - (runs.starts[run - 1] ?? 0)
    ticks[run] = (ticks[run - 1] ?? 0) + before * (deltas[run - 1] ?? 0)
  }
  return { ...runs, deltas, ticks }
}

function readShifts(ctts: Uint32Array) {
  // read as signed in version 0 too: no writer uses values that large
  const ticks = new Int32Array(readColumn(ctts, 2, 1).buffer)
  return { ...sumUp(readColumn(ctts, 2, 0)), ticks }
}

/** Numbers of keyframes, from 0. The first frame always counts as a keyframe. */
function readKeys(stss: Uint32Array): Uint32Array {
  const keys = readColumn(stss, 1, 0).map((number) => number - 1)
  if (keys[0] === 0) return keys
  const withFirst = new Uint32Array(keys.length + 1)
  withFirst.set(keys, 1)
  return withFirst
}

function readLongOffsets(co64: Uint32Array): Float64Array {
  const high = readColumn(co64, 2, 0)
  const low = readColumn(co64, 2, 1)
  return Float64Array.from(high, (value, i) => value * 2 ** 32 + (low[i] ?? 0))
}

function readChunks(stsc: Uint32Array, chunkCount: number) {
  const first = readColumn(stsc, 3, 0).map((number) => number - 1)
  const samplesEach = readColumn(stsc, 3, 1)
  const counts = new Uint32Array(first.length)
  for (let run = 0; run < first.length; run++) {
    const chunks = (first[run + 1] ?? chunkCount) - (first[run] ?? 0)
    const each = samplesEach[run] ?? 0
    if (chunks < 1 || each < 1 || chunks * each >= 2 ** 32)
      throw new RangeError('chunks of frames are out of order')
    counts[run] = chunks * each
  }
  if ((first[0] ?? 0) !== 0) throw new RangeError('chunks of frames are out of order')
  return { ...sumUp(counts), first, samplesEach }
}

/** The run that contains a frame. */
function runOf({ starts }: Runs, number: number): number {
  return lastNotAfter(starts.length, number, (i) => starts[i] ?? 0)
}

/** Index of the last of ascending values that is not above the wanted one; -1 if all are above. */
function lastNotAfter(length: number, wanted: number, valueAt: (place: number) => number): number {
  let [there, above] = [-1, length]
  while (above - there > 1) {
    const middle = (there + above) >>> 1
    if (valueAt(middle) <= wanted) there = middle
    else above = middle
  }
  return there
}
