import { EncodedPacket, EncodedPacketSink, type InputTrack } from 'mediabunny'
import type { SampleTable, TableSample } from './mp4/sample-table.ts'
import type { SourceRanges } from '../source/source-bytes.ts'

/** Where a track begins and ends by its index. The packets are without their bytes, which need not be in the file. */
export type Ends = {
  first: EncodedPacket
  /** Last packet in presentation order. */
  last: EncodedPacket
  /** When that ends. */
  endSeconds: number
  /** Whether the bytes of the last one are in the file. */
  isLastThere: () => Promise<boolean>
}

/** The coded frames of one track of a source. Times are seconds on the container's own clock. */
export interface PacketReader {
  /** Null where there are none. */
  ends(): Promise<Ends | null>
  /** Those that the index calls keyframes, without their bytes, which need not be in the file. */
  keys(): AsyncIterable<EncodedPacket>
  /** Packets of `first` and `keyAt` need not hold their bytes. */
  first(): Promise<EncodedPacket | null>
  /** The last keyframe at this time or before, where its bytes are in the file. */
  keyAt(seconds: number): Promise<EncodedPacket | null>
  bytesOf(packet: EncodedPacket): Promise<Uint8Array>
  /** Packets from one to before another, or to where the file ends, without their bytes. */
  list(from: EncodedPacket, to: EncodedPacket | null): AsyncIterable<EncodedPacket>
  /** The same with their bytes. */
  read(from: EncodedPacket, to: EncodedPacket | null): AsyncIterable<EncodedPacket>
  /** Whether what the index names is in the file; of what comes in pieces the last packet speaks for all. */
  isComplete(): Promise<boolean>
}

/** Packets as a library finds them that knows every container, and keeps what it has learned of the track in memory. */
export class LibraryPackets implements PacketReader {
  readonly #track: InputTrack
  readonly #sink: EncodedPacketSink

  constructor(track: InputTrack) {
    this.#track = track
    this.#sink = new EncodedPacketSink(track)
  }

  async ends(): Promise<Ends | null> {
    const first = await this.#sink.getFirstPacket({ metadataOnly: true })
    const last = await this.#sink.getPacket(Number.MAX_SAFE_INTEGER, { metadataOnly: true })
    if (!first || !last) return null
    return {
      first,
      last,
      endSeconds: await this.#track.computeDuration(),
      isLastThere: () => this.isComplete(),
    }
  }

  async *keys(): AsyncGenerator<EncodedPacket> {
    let packet = await this.#sink.getFirstPacket({ metadataOnly: true })
    while (packet) {
      if (packet.type === 'key') yield packet
      packet = await this.#sink.getNextKeyPacket(packet, { metadataOnly: true })
    }
  }

  first(): Promise<EncodedPacket | null> {
    return this.#sink.getFirstPacket()
  }

  keyAt(seconds: number): Promise<EncodedPacket | null> {
    return this.#sink.getKeyPacket(seconds)
  }

  async bytesOf(packet: EncodedPacket): Promise<Uint8Array> {
    return packet.data
  }

  list(from: EncodedPacket, to: EncodedPacket | null): AsyncIterable<EncodedPacket> {
    return this.#sink.packets(from, to ?? undefined, { metadataOnly: true })
  }

  read(from: EncodedPacket, to: EncodedPacket | null): AsyncIterable<EncodedPacket> {
    return this.#sink.packets(from, to ?? undefined)
  }

  async isComplete(): Promise<boolean> {
    return (await this.#sink.getPacket(Number.MAX_SAFE_INTEGER)) !== null
  }
}

/** Bytes of other tracks are read as well where that saves a read, but no more than so many. */
const MAX_GAP_BYTES = 128 * 1024
const MAX_RUN_BYTES = 4 * 2 ** 20

const noBytes = new Uint8Array()

/** Packets by the table of an MP4: little memory, and neighbours are read together. */
export class TablePackets implements PacketReader {
  readonly #file: SourceRanges
  readonly #table: SampleTable
  readonly #timescale: number
  readonly #zeroTicks: number

  /** `zeroTicks` is the time in the table that is 0 on the container's clock, as its edit list says. */
  constructor(
    file: SourceRanges,
    table: SampleTable,
    { timescale, zeroTicks }: { timescale: number; zeroTicks: number },
  ) {
    this.#file = file
    this.#table = table
    this.#timescale = timescale
    this.#zeroTicks = zeroTicks
  }

  async ends(): Promise<Ends | null> {
    if (this.#table.count === 0) return null
    const lastNumber = this.#table.lastShown()
    const [first] = this.#table.samples(0, 1)
    const [last] = this.#table.samples(lastNumber, lastNumber + 1)
    if (!first || !last) return null
    return {
      first: this.#packet(first, noBytes),
      last: this.#packet(last, noBytes),
      endSeconds: (last.pts + last.duration - this.#zeroTicks) / this.#timescale,
      isLastThere: async () => this.#isThere(last),
    }
  }

  async *keys(): AsyncGenerator<EncodedPacket> {
    for (const sample of this.#table.keys()) yield this.#packet(sample, noBytes)
  }

  async first(): Promise<EncodedPacket | null> {
    return this.#find(0)
  }

  async keyAt(seconds: number): Promise<EncodedPacket | null> {
    const ticks = roundIfNearly(seconds * this.#timescale) + this.#zeroTicks
    return this.#find(this.#table.keyAt(ticks))
  }

  async bytesOf({ sequenceNumber }: EncodedPacket): Promise<Uint8Array> {
    const [sample] = this.#table.samples(sequenceNumber, sequenceNumber + 1)
    return sample ? this.#file.read(sample.offset, sample.offset + sample.size) : noBytes
  }

  async *list(from: EncodedPacket, to: EncodedPacket | null): AsyncGenerator<EncodedPacket> {
    for (const sample of this.#samples(from, to)) yield this.#packet(sample, noBytes)
  }

  async *read(from: EncodedPacket, to: EncodedPacket | null): AsyncGenerator<EncodedPacket> {
    for (const run of runsOf(this.#samples(from, to))) {
      const bytes = await this.#file.read(run.start, run.end)
      if (bytes.length < run.end - run.start) throw new Error('the file is shorter than it was')
      for (const sample of run.samples) {
        const at = sample.offset - run.start
        yield this.#packet(sample, bytes.subarray(at, at + sample.size))
      }
    }
  }

  async isComplete(): Promise<boolean> {
    return this.#table.isWithin(this.#file.sizeBytes)
  }

  #find(number: number | undefined): EncodedPacket | null {
    if (number === undefined) return null
    const [sample] = this.#table.samples(number, number + 1)
    return sample && this.#isThere(sample) ? this.#packet(sample, noBytes) : null
  }

  *#samples(from: EncodedPacket, to: EncodedPacket | null): Generator<TableSample> {
    for (const sample of this.#table.samples(from.sequenceNumber, to?.sequenceNumber ?? this.#table.count)) {
      if (!this.#isThere(sample)) return
      yield sample
    }
  }

  #isThere({ offset, size }: TableSample): boolean {
    return offset + size <= this.#file.sizeBytes
  }

  #packet({ number, pts, duration, size, isKey }: TableSample, bytes: Uint8Array): EncodedPacket {
    const timestamp = (pts - this.#zeroTicks) / this.#timescale
    return new EncodedPacket(
      bytes,
      isKey ? 'key' : 'delta',
      timestamp,
      duration / this.#timescale,
      number,
      size,
    )
  }
}

type Run = { start: number; end: number; samples: TableSample[] }

/** Frames that lie near one another, in their order. */
function* runsOf(samples: Iterable<TableSample>): Generator<Run> {
  let run: Run | undefined
  for (const sample of samples) {
    const end = sample.offset + sample.size
    const gap = run ? sample.offset - run.end : Number.NaN
    if (run && gap >= 0 && gap <= MAX_GAP_BYTES && end - run.start <= MAX_RUN_BYTES) {
      run.end = end
      run.samples.push(sample)
    } else {
      if (run) yield run
      run = { start: sample.offset, end, samples: [sample] }
    }
  }
  if (run) yield run
}

/** Times were whole ticks before they were divided. */
function roundIfNearly(ticks: number): number {
  const rounded = Math.round(ticks)
  return Math.abs(ticks - rounded) < 1e-6 ? rounded : ticks
}
