import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  type EncodedPacket,
  type Input,
  type InputAudioTrack,
  type InputVideoTrack,
} from 'mediabunny'
import { findBox, readTimescale, writeSegment, type Sample } from './fmp4.ts'
import { openInput, type SourceBytes } from './keyframe-index.ts'
import type { SourceRung } from './ladder.ts'
import { AAC_FRAME_SAMPLES, type AudioPlan, type Timeline } from './timeline.ts'

/** Keyframe times are looked up a little after they are, so that rounding never finds the one before. */
const LOOKUP_SLACK_SECONDS = 0.0005
/** How many frames after a keyframe may be shown before it. */
const MAX_LEADING_FRAMES = 16
/** Fifteen seconds at the highest bit rate that cameras know; what is larger was made to fill the memory. */
const MAX_SEGMENT_BYTES = 512 * 1024 * 1024

/**
 * Reads the uploaded bits of one source and wraps them anew as fMP4 segments, in this process: no program is started
 * and nothing but the wanted bytes is read. Keeps the file's index in memory while it is open.
 */
export class SourceRemuxer {
  readonly #input: Input
  readonly #timeline: Timeline
  #video: Promise<CopiedTrack<InputVideoTrack>> | undefined
  readonly #audio = new Map<number, Promise<CopiedTrack<InputAudioTrack>>>()

  constructor(bytes: SourceBytes, timeline: Timeline) {
    this.#input = openInput(bytes)
    this.#timeline = timeline
  }

  /** Reads the index, so that the first part of a track that is asked for waits for nothing but its own bytes. */
  async open(audio: AudioPlan | undefined): Promise<void> {
    await Promise.all([this.#videoTrack(), audio && this.#audioTrack(audio)])
  }

  async videoInit(): Promise<Buffer> {
    return (await this.#videoTrack()).init
  }

  /** The uploaded bits from one cut to the next. */
  async videoSegment(rung: SourceRung, index: number): Promise<Buffer> {
    const track = await this.#videoTrack()
    const { sink, timescale } = track
    const [first, next] = await Promise.all([
      this.#keyAt(sink, rung, index),
      this.#keyAt(sink, rung, index + 1),
    ])
    if (!first) throw new RangeError(`no keyframe for segment ${index}`)
    await refuseBomb(sink, first, next)
    const toTicks = (seconds: number) => Math.round((seconds - this.#timeline.zeroSeconds) * timescale)
    const samples: Sample[] = []
    let shownUntil = 0
    for await (const packet of sink.packets(first, next ?? undefined)) {
      // Where a source is broken, what lies behind its end is not to be played.
      if (packet.timestamp > this.#endSeconds()) {
        if (packet.type === 'key') break
        continue
      }
      samples.push({ pts: toTicks(packet.timestamp), isKey: packet.type === 'key', data: packet.data })
      shownUntil = Math.max(shownUntil, packet.timestamp + packet.duration)
    }
    if (index === 0) startAtZero(samples)
    const last = Math.max(...samples.map((sample) => sample.pts))
    const end = next ? await earliestShown(sink, next) : Math.max(shownUntil, this.#endSeconds())
    return writeSegment(index + 1, samples, Math.max(toTicks(end), last + 1))
  }

  /** A film of one picture a second: the keyframe on display at each of the presentation times. */
  async *keyframesAt(times: number[]): AsyncGenerator<Buffer> {
    const { init, sink, timescale } = await this.#videoTrack()
    yield init
    for (const [index, time] of times.entries()) {
      const at = time + this.#timeline.zeroSeconds + LOOKUP_SLACK_SECONDS
      const packet = (await sink.getKeyPacket(at)) ?? (await sink.getFirstPacket())
      if (!packet) return
      const sample = { pts: index * timescale, isKey: true, data: packet.data }
      yield writeSegment(index + 1, [sample], sample.pts + timescale)
    }
  }

  async audioInit(plan: AudioPlan): Promise<Buffer> {
    return (await this.#audioTrack(plan)).init
  }

  /** The AAC frames of an audio segment, as they were uploaded. */
  async audioSegment(plan: AudioPlan, index: number): Promise<Buffer> {
    const { sink, timescale } = await this.#audioTrack(plan)
    const frameSeconds = AAC_FRAME_SAMPLES / plan.sampleRate
    const { zeroSeconds } = this.#timeline
    // Half a frame of tolerance: a frame belongs to the segment in which most of it is heard.
    const boundary = (at: number) => zeroSeconds + (at * plan.framesPerSegment - 0.5) * frameSeconds
    const isLast = index + 1 >= plan.segmentCount
    const from = boundary(index)
    // The last one takes a frame more, so that no rounding loses it; what lies behind is not to be played.
    const to = isLast ? zeroSeconds + (plan.frameCount + 0.5) * frameSeconds : boundary(index + 1)
    const samples: Sample[] = []
    let endTicks = 0
    const toTicks = (seconds: number) => Math.max(0, Math.round((seconds - zeroSeconds) * timescale))
    const start = (await sink.getPacket(from)) ?? (await sink.getFirstPacket())
    let packet: EncodedPacket | null = start
    while (packet && packet.timestamp < to) {
      if (packet.timestamp >= from) {
        samples.push({ pts: toTicks(packet.timestamp), isKey: true, data: packet.data })
        endTicks = toTicks(packet.timestamp + packet.duration)
      }
      packet = await sink.getNextPacket(packet)
    }
    if (packet) endTicks = toTicks(packet.timestamp)
    return writeSegment(index + 1, samples, endTicks)
  }

  close(): void {
    this.#input.dispose()
  }

  #endSeconds(): number {
    return this.#timeline.zeroSeconds + this.#timeline.durationSeconds
  }

  async #keyAt(sink: EncodedPacketSink, rung: SourceRung, index: number): Promise<EncodedPacket | null> {
    const cut = rung.cutsMicros[index]
    return cut === undefined ? null : sink.getKeyPacket(cut / 1e6 + LOOKUP_SLACK_SECONDS)
  }

  #videoTrack(): Promise<CopiedTrack<InputVideoTrack>> {
    this.#video ??= this.#input.getPrimaryVideoTrack().then(async (track) => {
      if (!track?.codec) throw new Error('the source has no video track that can be copied')
      const sink = new EncodedPacketSink(track)
      const packet = await sink.getFirstPacket()
      const decoderConfig = await track.getDecoderConfig()
      if (!packet || !decoderConfig) throw new Error('the video track is empty')
      const source = new EncodedVideoPacketSource(track.codec)
      return openTrack(
        track,
        sink,
        (output) => output.addVideoTrack(source),
        () => source.add(packet, { decoderConfig }),
      )
    })
    return this.#video
  }

  #audioTrack(plan: AudioPlan): Promise<CopiedTrack<InputAudioTrack>> {
    const opened = this.#audio.get(plan.position) ?? this.#openAudio(plan.position)
    this.#audio.set(plan.position, opened)
    return opened
  }

  async #openAudio(position: number): Promise<CopiedTrack<InputAudioTrack>> {
    const track = (await this.#input.getAudioTracks())[position]
    if (!track?.codec) throw new Error('the source has no audio track that can be copied')
    const sink = new EncodedPacketSink(track)
    const packet = await sink.getFirstPacket()
    const decoderConfig = await track.getDecoderConfig()
    if (!packet || !decoderConfig) throw new Error('the audio track is empty')
    const source = new EncodedAudioPacketSource(track.codec)
    const shifted = packet.clone({ timestamp: Math.max(0, packet.timestamp) })
    return openTrack(
      track,
      sink,
      (output) => output.addAudioTrack(source),
      () => source.add(shifted, { decoderConfig }),
    )
  }
}

type CopiedTrack<Track> = { track: Track; sink: EncodedPacketSink; init: Buffer; timescale: number }

/** Writes a film of one packet to learn the track's init segment. */
async function openTrack<Track>(
  track: Track,
  sink: EncodedPacketSink,
  addTrack: (output: Output) => void,
  addPacket: () => Promise<void>,
): Promise<CopiedTrack<Track>> {
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'fragmented' }), target })
  addTrack(output)
  await output.start()
  await addPacket()
  await output.finalize()
  if (!target.buffer) throw new Error('no init segment was written')
  const bytes = Buffer.from(target.buffer)
  const moov = findBox(bytes, 'moov')
  if (!moov) throw new Error('no init segment was written')
  const init = bytes.subarray(0, moov.end)
  return { track, sink, init, timescale: readTimescale(init) }
}

/** Looks at the sizes that the index states before any of it is read. */
async function refuseBomb(
  sink: EncodedPacketSink,
  first: EncodedPacket,
  next: EncodedPacket | null,
): Promise<void> {
  let bytes = 0
  for await (const { byteLength } of sink.packets(first, next ?? undefined, { metadataOnly: true })) {
    bytes += byteLength
    if (bytes > MAX_SEGMENT_BYTES) throw new RangeError('a segment larger than any memory should hold')
  }
}

function startAtZero(samples: Sample[]): void {
  const first = samples.reduce((a, b) => (b.pts < a.pts ? b : a))
  first.pts = 0
}

/** Frames that follow a keyframe in the file may be shown before it. */
async function earliestShown(sink: EncodedPacketSink, key: EncodedPacket): Promise<number> {
  let earliest = key.timestamp
  let packet: EncodedPacket | null = key
  for (let i = 0; i < MAX_LEADING_FRAMES && packet; i++) {
    earliest = Math.min(earliest, packet.timestamp)
    packet = await sink.getNextPacket(packet, { metadataOnly: true })
  }
  return earliest
}
