import {
  BufferTarget,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  type Input,
  InputAudioTrack,
  type InputTrack,
  type InputVideoTrack,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import { findBox, readTimescale } from './mp4/fmp4.ts'
import { findMp4Tracks, type Mp4Tracks } from './mp4/tracks.ts'
import { LibraryPackets, TablePackets, type PacketReader } from './packets.ts'
import { openInput, rangesOfFile, type SourceBytes, type SourceRanges } from '../source/source-bytes.ts'

/** A track whose frames can be remuxed: its init segment and the timescale of that. */
export type CopiedTrack = { packets: PacketReader; init: Buffer; timescale: number }

type Choose = (input: Input) => Promise<InputVideoTrack | InputAudioTrack | null | undefined>

/**
 * The tracks of a source, each opened on first use. Frames of an MP4 are located by its own sample tables, and
 * mediabunny reads only the first ones. All other containers are read by mediabunny.
 */
export class SourceTracks {
  readonly #bytes: SourceBytes
  readonly #tracks = new Map<number | 'video', Promise<CopiedTrack>>()
  #mp4: Promise<Mp4File | undefined> | undefined
  #input: Input | undefined
  #isClosed = false

  constructor(bytes: SourceBytes) {
    this.#bytes = bytes
  }

  /** Throws if the video cannot be remuxed. */
  video(): Promise<CopiedTrack> {
    return this.#once('video', (input) => input.getPrimaryVideoTrack())
  }

  /** `position` counts audio tracks only. */
  audio(position: number): Promise<CopiedTrack> {
    return this.#once(position, async (input) => (await input.getAudioTracks())[position])
  }

  /** Reads in progress fail. */
  close(): void {
    this.#isClosed = true
    this.#input?.dispose()
  }

  #once(name: number | 'video', choose: Choose): Promise<CopiedTrack> {
    const opened = this.#tracks.get(name) ?? this.#open(choose)
    this.#tracks.set(name, opened)
    return opened
  }

  async #open(choose: Choose): Promise<CopiedTrack> {
    this.#mp4 ??= this.#findMp4()
    const mp4 = await this.#mp4
    const byTable = mp4 && (await openByTable(mp4, choose))
    if (byTable) return byTable
    this.#assertOpen()
    this.#input ??= openInput(this.#bytes)
    const track = requireTrack(await choose(this.#input))
    return { packets: new LibraryPackets(track), ...(await writeInit(track)) }
  }

  async #findMp4(): Promise<Mp4File | undefined> {
    const { sizeBytes, read } =
      typeof this.#bytes === 'string' ? await rangesOfFile(this.#bytes) : this.#bytes
    const file: SourceRanges = {
      sizeBytes,
      read: (start, end) => {
        this.#assertOpen()
        return read(start, end)
      },
    }
    const tracks = await findMp4Tracks(file)
    return tracks && { file, tracks }
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new Error('the source was closed')
  }
}

type Mp4File = { file: SourceRanges; tracks: Mp4Tracks }

async function openByTable({ file, tracks }: Mp4File, choose: Choose): Promise<CopiedTrack | undefined> {
  using head = openInput(tracks.head)
  const track = requireTrack(await choose(head))
  const table = await tracks.tableOf(track.id)
  if (!table) return undefined
  const { first, ...written } = await writeInit(track)
  const timescale = await track.getTimeResolution()
  const [{ pts } = { pts: 0 }] = table.samples(0, 1)
  const zeroTicks = pts - Math.round(first.timestamp * timescale)
  return { packets: new TablePackets(file, table, { timescale, zeroTicks }), ...written }
}

function requireTrack<Track extends InputTrack>(track: Track | null | undefined): Track {
  if (!track) throw new Error('the source has no such track that can be copied')
  return track
}

/** Writes a video of one packet, from which the track's init segment is taken. */
async function writeInit(track: InputVideoTrack | InputAudioTrack) {
  const first = await new EncodedPacketSink(track).getFirstPacket()
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'fragmented' }), target })
  if (!first) throw new Error('the track is empty')
  const add = track instanceof InputAudioTrack ? await addAudio(output, track) : await addVideo(output, track)
  await output.start()
  await add(first.clone({ timestamp: Math.max(0, first.timestamp) }))
  await output.finalize()
  const bytes = Buffer.from(target.buffer ?? new ArrayBuffer())
  const moov = findBox(bytes, 'moov')
  if (!moov) throw new Error('no init segment was written')
  const init = Buffer.from(bytes.subarray(0, moov.end))
  return { first, init, timescale: readTimescale(init) }
}

async function addVideo(
  output: Output,
  track: InputVideoTrack,
): Promise<(packet: EncodedPacket) => Promise<void>> {
  const decoderConfig = await track.getDecoderConfig()
  if (!track.codec || !decoderConfig) throw new Error('the picture is of a kind that cannot be copied')
  const source = new EncodedVideoPacketSource(track.codec)
  output.addVideoTrack(source)
  return (packet) => source.add(packet, { decoderConfig })
}

async function addAudio(
  output: Output,
  track: InputAudioTrack,
): Promise<(packet: EncodedPacket) => Promise<void>> {
  const decoderConfig = await track.getDecoderConfig()
  if (!track.codec || !decoderConfig) throw new Error('the sound is of a kind that cannot be copied')
  const source = new EncodedAudioPacketSource(track.codec)
  output.addAudioTrack(source)
  return (packet) => source.add(packet, { decoderConfig })
}
