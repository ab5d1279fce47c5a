import type { EncodedPacket } from 'mediabunny'
import { audioGap, replaceDamagedFrames } from '../damage/damaged-audio.ts'
import type { MediaTools } from '../process/ffmpeg.ts'
import { FRAME_BYTES, SEGMENT_BYTES, writeSegment, type Sample } from '../containers/mp4/fmp4.ts'
import { type PassthroughRendition, passthroughStarts } from '../plan/renditions.ts'
import type { AudioBorder } from '../plan/cut.ts'
import type { PacketReader } from '../containers/packets.ts'
import type { SourceBytes } from '../source/source-bytes.ts'
import type { Gap } from '../source/source-info.ts'
import { SourceTracks } from '../containers/source-tracks.ts'
import { LOOKUP_SLACK_SECONDS } from '../plan/stream-index.ts'
import {
  AAC_FRAME_SAMPLES,
  type AudioPlan,
  MAX_COPIED_SEGMENT_BYTES,
  type Timeline,
} from '../plan/timeline.ts'

/** Segments in playlists are smaller by estimate. A far larger one is made to exhaust memory. */
const MAX_SEGMENT_BYTES = 4 * MAX_COPIED_SEGMENT_BYTES
/** Fifteen seconds of the fastest cameras. More, perhaps without bytes or duration, would block this process. */
const MAX_SEGMENT_FRAMES = 50_000
/** Maximum delay of audio frames that share one timestamp. */
const MAX_STAMP_ERROR_FRAMES = 4

/**
 * Remuxes one source into fMP4 segments in this process: starts no program unless audio looks damaged, and reads
 * nothing but the wanted bytes. Keeps the tables of the file's index in memory while it is open.
 */
export class SourceRemuxer {
  readonly #tracks: SourceTracks
  readonly #timeline: Timeline

  constructor(bytes: SourceBytes, timeline: Timeline) {
    this.#tracks = new SourceTracks(bytes)
    this.#timeline = timeline
  }

  /** Reads the index, so that the first segment waits for nothing but its own bytes. */
  async open(audio: AudioPlan | undefined): Promise<void> {
    await Promise.all([this.#tracks.video(), audio && this.#tracks.audio(audio.position)])
  }

  async videoInit(): Promise<Buffer> {
    return (await this.#tracks.video()).init
  }

  /** The frames from one cut to the next. */
  async videoSegment(rendition: PassthroughRendition, index: number): Promise<Buffer> {
    const { packets, timescale } = await this.#tracks.video()
    const [first, next] = await Promise.all([
      keyAtCut(packets, rendition, index),
      keyAtCut(packets, rendition, index + 1),
    ])
    if (!first) throw new RangeError(`no keyframe for segment ${index}`)
    await refuseBomb(packets, first, next)
    const toTicks = (seconds: number) => Math.round((seconds - this.#timeline.zeroSeconds) * timescale)
    const samples: Sample[] = []
    let lastShown = first
    for await (const packet of packets.read(first, next)) {
      // Frames after the end of a truncated source are not played.
      if (packet.timestamp > this.#endSeconds()) {
        if (packet.type === 'key') break
        continue
      }
      // an empty packet: the previous frame stays on display
      if (packet.byteLength === 0) continue
      samples.push({ pts: toTicks(packet.timestamp), isKey: packet.type === 'key', data: packet.data })
      if (packet.timestamp > lastShown.timestamp) lastShown = packet
    }
    if (index === 0) startAtZero(samples)
    const last = Math.max(...samples.map((sample) => sample.pts))
    const shownUntil = Math.max(lastShown.timestamp + lastShown.duration, this.#endSeconds())
    const end = next ? next.timestamp : shownUntil
    return writeSegment(index + 1, samples, Math.max(toTicks(end), last + 1))
  }

  /** A video of one frame a second: the keyframe on display at each of the presentation times. */
  async *keyframesAt(times: number[]): AsyncGenerator<Buffer> {
    const { init, packets, timescale } = await this.#tracks.video()
    yield init
    for (const [index, time] of times.entries()) {
      const at = time + this.#timeline.zeroSeconds + LOOKUP_SLACK_SECONDS
      const packet = (await packets.keyAt(at)) ?? (await packets.first())
      if (!packet) return
      const sample = { pts: index * timescale, isKey: true, data: await packets.bytesOf(packet) }
      yield writeSegment(index + 1, [sample], sample.pts + timescale)
    }
  }

  async audioInit(plan: AudioPlan): Promise<Buffer> {
    return (await this.#tracks.audio(plan.position)).init
  }

  /** Bytes of each passthrough segment, at most, by the frame sizes of the index. */
  async videoSizes(rendition: PassthroughRendition): Promise<number[]> {
    const { packets } = await this.#tracks.video()
    // all that precedes the second cut belongs to the first segment
    const [, ...starts] = passthroughStarts(rendition, this.#timeline)
    return this.#sizesBetween(packets, [Number.NEGATIVE_INFINITY, ...starts])
  }

  /** Bytes of each segment of a copied audio track, at most, by the frame sizes of the index. */
  async audioSizes(plan: AudioPlan): Promise<number[]> {
    const { packets } = await this.#tracks.audio(plan.position)
    const frameSeconds = AAC_FRAME_SAMPLES / plan.sampleRate
    const starts = Array.from(
      { length: plan.segmentCount + 1 },
      (_, index) => (Math.min(index * plan.framesPerSegment, plan.frameCount) - 0.5) * frameSeconds,
    )
    return this.#sizesBetween(packets, starts)
  }

  /** `starts` are presentation times, with the end of the last segment. */
  async #sizesBetween(packets: PacketReader, starts: number[]): Promise<number[]> {
    const sizes = starts.slice(1).map(() => SEGMENT_BYTES)
    const first = await packets.first()
    let segment = 0
    for await (const { timestamp, byteLength } of first ? packets.list(first, null) : []) {
      const seconds = timestamp - this.#timeline.zeroSeconds + LOOKUP_SLACK_SECONDS
      const isPlayed = seconds >= (starts[0] ?? 0) && timestamp <= this.#endSeconds()
      if (byteLength === 0 || !isPlayed) continue
      // Frames are in the order of decoding: all of a segment, then all of the next.
      while (segment + 1 < sizes.length && seconds >= (starts[segment + 1] ?? 0)) segment++
      sizes[segment] = (sizes[segment] ?? 0) + byteLength + FRAME_BYTES
    }
    return sizes
  }

  /** The AAC frames of an audio segment, with silence in place of damaged ones. */
  async audioSegment(tools: MediaTools, plan: AudioPlan, index: number): Promise<Buffer> {
    const { audible, endTicks } = await this.#audio(tools, plan, index)
    return writeSegment(index + 1, audible, endTicks)
  }

  /**
   * The AAC frames at the border of a range that viewers see. A frame is heard until the end of the next one, so those that
   * would be heard outside of the audible ones are silent; the decoder fades into and out of silence.
   */
  async audioBorder(tools: MediaTools, plan: AudioPlan, border: AudioBorder): Promise<Buffer> {
    const { fromFrame, toFrame, audibleFrom, audibleTo } = border
    const { audible, timescale } = await this.#frames(tools, plan, { fromFrame, toFrame })
    const frameTicks = (AAC_FRAME_SAMPLES * timescale) / plan.sampleRate
    const ticksOf = (frame: number) => Math.round(frame * frameTicks)
    const silent = audioGap(plan.channels)
    const samples: Sample[] = []
    const fill = (untilTicks: number) => {
      let next = samples.at(-1)?.pts ?? ticksOf(fromFrame - 1)
      while ((next += Math.round(frameTicks)) + frameTicks / 2 <= untilTicks)
        samples.push({ pts: next, isKey: true, data: silent })
    }
    for (const sample of audible) {
      fill(sample.pts)
      const isHeard =
        (audibleFrom === null || sample.pts >= ticksOf(audibleFrom) - 1) &&
        (audibleTo === null || sample.pts + 2 * frameTicks <= ticksOf(audibleTo) + 1)
      samples.push(isHeard ? sample : { ...sample, data: silent })
    }
    fill(ticksOf(toFrame))
    const last = samples.at(-1)?.pts ?? 0
    return writeSegment(1, samples, Math.max(ticksOf(toFrame), last + 1))
  }

  /** From the first to the last damaged frame of an audio segment; undefined if none is damaged. */
  async findAudioGap(tools: MediaTools, plan: AudioPlan, index: number): Promise<Gap | undefined> {
    const { uploaded, audible, timescale } = await this.#audio(tools, plan, index)
    const replaced = audible.filter(({ data }, frame) => data !== uploaded[frame]?.data)
    const [first, last] = [replaced[0], replaced.at(-1)]
    if (!first || !last) return undefined
    const secondsOf = (ticks: number) => this.#timeline.zeroSeconds + ticks / timescale
    return {
      fromSeconds: secondsOf(first.pts),
      toSeconds: secondsOf(last.pts) + AAC_FRAME_SAMPLES / plan.sampleRate,
    }
  }

  /** The frames of an audio segment as uploaded, and as sent. */
  async #audio(tools: MediaTools, plan: AudioPlan, index: number) {
    const isLast = index + 1 >= plan.segmentCount
    return this.#frames(tools, plan, {
      fromFrame: index * plan.framesPerSegment,
      // The last segment takes one frame more, so that rounding loses none. Later frames are not played.
      toFrame: isLast ? plan.frameCount + 1 : (index + 1) * plan.framesPerSegment,
    })
  }

  /** Frames of an audio track as uploaded, and as sent. */
  async #frames(
    tools: MediaTools,
    plan: AudioPlan,
    { fromFrame, toFrame }: Pick<AudioBorder, 'fromFrame' | 'toFrame'>,
  ) {
    const track = await this.#tracks.audio(plan.position)
    const { packets, timescale } = track
    const frameSeconds = AAC_FRAME_SAMPLES / plan.sampleRate
    const { zeroSeconds } = this.#timeline
    // Half a frame of tolerance: a frame belongs to the segment in which most of it is heard.
    const boundary = (frame: number) => zeroSeconds + (frame - 0.5) * frameSeconds
    const from = boundary(fromFrame)
    const to = boundary(toFrame)
    const toTicks = (seconds: number) => Math.max(0, Math.round((seconds - zeroSeconds) * timescale))
    const samples: Sample[] = []
    let endTicks = 0
    const first = (await packets.keyAt(from)) ?? (await packets.first())
    const next = first && (await firstFrom(packets, first, to))
    for await (const packet of first ? packets.read(first, next) : []) {
      if (packet.timestamp < from) continue
      samples.push({ pts: toTicks(packet.timestamp), isKey: true, data: packet.data })
      endTicks = toTicks(packet.timestamp + packet.duration)
    }
    const frameTicks = Math.round(frameSeconds * timescale)
    const end = separateStamps(samples, frameTicks, next ? toTicks(next.timestamp) : endTicks)
    const audible = await replaceDamagedFrames(tools, plan, track, samples)
    return { uploaded: samples, audible, timescale, endTicks: end }
  }

  close(): void {
    this.#tracks.close()
  }

  #endSeconds(): number {
    return this.#timeline.zeroSeconds + this.#timeline.durationSeconds
  }
}

async function keyAtCut(
  packets: PacketReader,
  rendition: PassthroughRendition,
  index: number,
): Promise<EncodedPacket | null> {
  const cut = rendition.cutsMicros[index]
  return cut === undefined ? null : packets.keyAt(cut / 1e6 + LOOKUP_SLACK_SECONDS)
}

/** The first packet at or after a time, searched from a given one on. */
async function firstFrom(
  packets: PacketReader,
  first: EncodedPacket,
  seconds: number,
): Promise<EncodedPacket | null> {
  let inspected = 0
  for await (const packet of packets.list(first, null)) {
    if (packet.timestamp >= seconds) return packet
    if ((inspected += 1) > MAX_SEGMENT_FRAMES) throw tooLarge()
  }
  return null
}

/** Checks the sizes that the index states before any byte is read. */
async function refuseBomb(
  packets: PacketReader,
  first: EncodedPacket,
  next: EncodedPacket | null,
): Promise<void> {
  let [bytes, frames] = [0, 0]
  for await (const { byteLength } of packets.list(first, next)) {
    bytes += byteLength
    frames += 1
    if (bytes > MAX_SEGMENT_BYTES || frames > MAX_SEGMENT_FRAMES) throw tooLarge()
  }
}

const tooLarge = () => new RangeError('a segment larger than any memory should hold')

/**
 * Muxers of fragments may stamp several audio frames with the time of the video frame next to them. Each of these
 * follows the previous one, unless its timestamp leaves a gap. Returns the end of the last frame.
 */
function separateStamps(samples: Sample[], frameTicks: number, endTicks: number): number {
  const haveSameTime = samples.some((sample, i) => i > 0 && sample.pts <= (samples[i - 1]?.pts ?? 0))
  if (!haveSameTime) return endTicks
  let follows = samples[0]?.pts ?? 0
  for (const sample of samples) {
    if (sample.pts - follows <= MAX_STAMP_ERROR_FRAMES * frameTicks) sample.pts = follows
    follows = sample.pts + frameTicks
  }
  return Math.max(follows, endTicks)
}

function startAtZero(samples: Sample[]): void {
  const first = samples.reduce((a, b) => (b.pts < a.pts ? b : a))
  first.pts = 0
}
