import { EncodedPacket, EncodedPacketSink, type InputTrack } from 'mediabunny'
import type { SampleTable, TableSample } from './mp4/sample-table.ts'
import type { SourceRanges } from '../source/source-bytes.ts'

/**
 * First and last packet of a track according to its index. The packets have no bytes, which may lie beyond the end of
 * the file.
 */
export type Ends = {
  first: EncodedPacket
  /** Last packet in presentation order. */
  last: EncodedPacket
  /** End of the last packet. */
  endSeconds: number
  /** Whether the bytes of the last packet are in the file. */
  isLastThere: () => Promise<boolean>
}

/** The coded frames of one track of a source. Times are seconds on the container's own clock. */
export interface PacketReader {
  /** Null for an empty track. */
  ends(): Promise<Ends | null>
  /** Keyframes of the index, without bytes, which may lie beyond the end of the file. */
  keys(): AsyncIterable<EncodedPacket>
  /** Packets of `first` and `keyAt` may have no bytes. */
  first(): Promise<EncodedPacket | null>
  /** The last keyframe at or before a time whose bytes are in the file. */
  keyAt(seconds: number): Promise<EncodedPacket | null>
  bytesOf(packet: EncodedPacket): Promise<Uint8Array>
  /** Packets of a range, or up to the end of the file, without bytes. */
  list(from: EncodedPacket, to: EncodedPacket | null): AsyncIterable<EncodedPacket>
  /** Like `list`, with bytes. */
  read(from: EncodedPacket, to: EncodedPacket | null): AsyncIterable<EncodedPacket>
  /** Whether the packets of the index are in the file. For fragmented files only the last packet is checked. */
  isComplete(): Promise<boolean>
}

/** Packets located by mediabunny, which supports every container and keeps its index of the track in memory. */
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

/** Bytes of other tracks up to this length are read along where that saves a read. */
const MAX_GAP_BYTES = 128 * 1024
const MAX_RUN_BYTES = 4 * 2 ** 20

const noBytes = new Uint8Array()

/** Packets located by the sample table of an MP4. Uses little memory and reads neighbours together. */
export class TablePackets implements PacketReader {
  readonly #file: SourceRanges
  readonly #table: SampleTable
  readonly #timescale: number
  readonly #zeroTicks: number

  /** `zeroTicks` is the table time that the edit list maps to 0. */
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

/** Groups frames that lie close together in the file, in order. */
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
