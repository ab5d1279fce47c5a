import { createHash } from 'node:crypto'
import { type Sample, writeSegment } from '@kinora/media/containers/mp4/fmp4.ts'
import {
  type AudioConfig,
  opusSamples,
  parseAudioConfig,
  parseVideoConfig,
  type VideoConfig,
} from '../flv/configs.ts'
import { parseAudioTag, parseVideoTag } from '../flv/tags.ts'
import { StreamEnded } from '../refusals.ts'
import type { MediaMessage } from '../rtmp/connection.ts'
import { AudioGrid } from './audio-grid.ts'
import { ByteRate } from './byte-rate.ts'
import { StreamClock } from './stream-clock.ts'
import { AUDIO_TRACK, VIDEO_TRACK, writeInit } from './tracks.ts'

/** One part of a recording: the frames from a keyframe to the next, as a fragment for each track. */
export interface Part {
  index: number
  startSeconds: number
  endSeconds: number
  video: Buffer
  /** Undefined if no sound arrived. */
  audio: Buffer | undefined
  audioStartSeconds: number
  audioEndSeconds: number
  /** Whether it is the first of a connection after another one. */
  isResumed: boolean
}

/** Some frames of a part before it is complete, and then the others: a chunk of CMAF, which HLS calls a partial segment. */
export interface Chunk {
  /** The part that will have its frames, and its number in there. */
  part: number
  chunk: number
  startSeconds: number
  endSeconds: number
  video: Buffer
  /** Undefined if no sound arrived since the chunk before. */
  audio: Buffer | undefined
  audioStartSeconds: number
  audioEndSeconds: number
}

/** The beginning of a recording, which all of its parts need. */
export interface Beginning {
  init: Buffer
  /** Equal for streams whose parts can follow each other. */
  format: string
}

/** Where a recording continues after a connection was lost. */
export interface Continuation {
  format: string
  index: number
  /** The later end of video and audio. */
  endSeconds: number
}

/** Measurements of what the encoder sends, for its owner. */
export interface StreamHealth {
  bitsPerSecond: number
  /** Distance of the last two keyframes. */
  keyframeSeconds: number | null
  framesPerSecond: number
  width: number
  height: number
  hasAudio: boolean
  /** Frames that cannot be played: before the first keyframe, too late, or of a damaged order. */
  droppedFrames: number
  /** How much later frames arrive than the fastest did. */
  lateMs: number
}

export interface RecorderOptions {
  onBegin(beginning: Beginning): Promise<void>
  onPart(part: Part): Promise<void>
  /** Parts are split into chunks for viewers with low latency; not the first part, which says what the frames are. */
  onChunk?: ((chunk: Chunk) => Promise<void>) | undefined
  continues?: Continuation | undefined
  maxBitsPerSecond: number
  /** Whether messages wait at their sender while it has no connection: rates are those of the stream, not of its arrival. */
  isBuffered?: boolean
  /** Browsers without an encoder for AAC send Opus. */
  takesOpus?: boolean
  /** Milliseconds on a clock that does not jump. */
  now?: () => number
}

/** Parts are at least this long, however dense keyframes are: a little less than a second, which encoders round. */
const MIN_PART_MS = 950
/** Parts whose keyframes are further apart end a stream. */
const MAX_PART_MS = 10_250
/** Chunks are at least this long, but for the last of a part: half a second, which encoders round. */
const MIN_CHUNK_MS = 490
/** No segment is longer, also of sound that was late: live playlists promise it from the beginning on. */
export const MAX_SEGMENT_SECONDS = 12
const MAX_PART_BYTES = 32 * 1024 ** 2
/** Sound this far after the beginning of a part: its picture has stopped. */
const MAX_SOUND_MS = MAX_PART_MS + 1000
/** Memory of a frame besides its data. */
const FRAME_BYTES = 256
/** How long the first part waits for sound. */
const AUDIO_WAIT_MS = 3000
/** Every message costs at least its header. */
const MIN_MESSAGE_BYTES = 12
/** Rate control of encoders exceeds its target for a while. */
const RATE_SLACK = 1.25

interface OpenPart {
  startMs: number
  samples: (Sample & { ms: number })[]
  times: Set<number>
  /** Memory of its pictures and sound. */
  bytes: number
  lastMs: number
  /** How much earlier frames are shown than others that were sent before them. */
  reorderMs: number
  /** Undefined for a part without chunks. */
  chunks: WrittenChunks | undefined
}

/** The chunks of a part so far: their number, that of their frames, and where they end. */
interface WrittenChunks {
  count: number
  frames: number
  sounds: number
  /** When their last frame is shown. */
  lastMs: number
  endMs: number
}

/** Turns the messages of an encoder into the parts of a recording. Messages have to come one after another. */
export class Recorder {
  readonly #options: RecorderOptions
  readonly #clock: StreamClock
  readonly #now: () => number
  #video: VideoConfig | undefined
  #audio: AudioConfig | undefined
  #grid: AudioGrid | undefined
  #timescale = 0
  #hasBegun = false
  #index: number
  #isResumed: boolean
  #part: OpenPart | undefined
  #dropped = 0
  #lastKeyMs: number | undefined
  #keyframeSeconds: number | null = null
  #frameMs = 40
  readonly #rate = new ByteRate()
  #earliestMs = Number.POSITIVE_INFINITY
  #lateMs = 0

  constructor(options: RecorderOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
    this.#index = options.continues?.index ?? 0
    this.#isResumed = options.continues !== undefined
    this.#clock = new StreamClock((options.continues?.endSeconds ?? 0) * 1000)
  }

  get health(): StreamHealth {
    return {
      bitsPerSecond: this.#rate.bitsPerSecond,
      keyframeSeconds: this.#keyframeSeconds,
      framesPerSecond: 1000 / this.#frameMs,
      width: this.#video?.width ?? 0,
      height: this.#video?.height ?? 0,
      hasAudio: this.#audio !== undefined,
      droppedFrames: this.#dropped,
      lateMs: this.#lateMs,
    }
  }

  /** Takes a message. Throws `StreamEnded` for what cannot be recorded. */
  async receive({ kind, timestamp, body }: MediaMessage): Promise<void> {
    this.#countBytes(body.length)
    if (kind === 'video') await this.#receiveVideo(timestamp, body)
    else this.#receiveAudio(timestamp, body)
  }

  /** Ends the part where its sender knows that the next keyframe will be, unless it is too short. */
  async endPart(timestamp: number): Promise<void> {
    const part = this.#part
    if (!part || part.samples.length === 0) return
    const ms = this.#clock.map('video', timestamp)
    if (this.#mayEnd(part, ms) && ms - part.startMs < MAX_PART_MS) await this.#endPart(ms)
  }

  /** Writes the last part. */
  async finish(): Promise<void> {
    if (this.#part && this.#part.samples.length > 1) await this.#endPart(this.#part.lastMs + this.#frameMs)
  }

  async #receiveVideo(timestamp: number, body: Buffer): Promise<void> {
    const tag = parseVideoTag(body)
    if (tag.kind === 'other') return
    if (tag.kind === 'config') {
      if (this.#video?.data.equals(tag.data)) return
      if (this.#video) throw new StreamEnded('format_changed')
      this.#video = parseVideoConfig(tag.data)
      return
    }
    const decodeMs = this.#clock.map('video', timestamp)
    this.#measureDelay(decodeMs)
    const ms = decodeMs + tag.compositionMs
    if (tag.isKey) await this.#beginPart(ms)
    const part = this.#part
    // leading frames of an open group of pictures need the group before, which may not be played
    if (!this.#video || !part || ms < part.startMs || part.times.has(ms)) {
      this.#dropped += 1
      return
    }
    part.reorderMs = Math.max(part.reorderMs, part.lastMs - ms)
    await this.#endChunkBefore(part, ms)
    if (ms > part.lastMs && part.samples.length > 0) this.#frameMs += (ms - part.lastMs - this.#frameMs) / 16
    part.samples.push({ ms, pts: 0, isKey: tag.isKey, data: tag.data })
    part.times.add(ms)
    part.lastMs = Math.max(part.lastMs, ms)
    if (part.lastMs - part.startMs >= MAX_PART_MS) throw new StreamEnded('keyframes')
    countFrame(part, tag.data)
  }

  #receiveAudio(timestamp: number, body: Buffer): void {
    const tag = parseAudioTag(body)
    if (tag.kind === 'other') return
    if (tag.kind === 'config') {
      if (this.#audio?.data.equals(tag.data)) return
      if (this.#audio) throw new StreamEnded('format_changed')
      if (tag.codec === 'opus' && !this.#options.takesOpus) throw new StreamEnded('unsupported_audio')
      // a recording that began without sound has no track for it
      if (!this.#hasBegun) this.#audio = parseAudioConfig(tag.codec, tag.data)
      return
    }
    if (!this.#audio) return
    // the track states the length of a frame once
    if (this.#audio.codec === 'opus' && opusSamples(tag.data) !== this.#audio.frameSamples)
      throw new StreamEnded('unsupported_audio')
    const ms = this.#clock.map('audio', timestamp)
    const part = this.#part
    if (!part) return
    // only keyframes end a part, and sound alone may not grow it
    if (ms - part.startMs > MAX_SOUND_MS) throw new StreamEnded('timeout')
    this.#grid ??= new AudioGrid(this.#audio, part.startMs)
    if (this.#grid.add(ms, tag.data, part.lastMs)) countFrame(part, tag.data)
    else this.#dropped += 1
  }

  /** A keyframe ends the part before, unless that is too short. */
  async #beginPart(ms: number): Promise<void> {
    if (this.#lastKeyMs !== undefined) this.#keyframeSeconds = Math.max(0, ms - this.#lastKeyMs) / 1000
    this.#lastKeyMs = ms
    const part = this.#part
    if (part) {
      if (!this.#mayEnd(part, ms)) return
      await this.#endPart(ms)
    }
    if (!this.#video) return
    const hasChunks = this.#hasBegun && this.#options.onChunk !== undefined
    const next: OpenPart = {
      startMs: ms,
      samples: [],
      times: new Set(),
      bytes: 0,
      lastMs: ms,
      reorderMs: 0,
      chunks: hasChunks ? { count: 0, frames: 0, sounds: 0, lastMs: ms, endMs: ms } : undefined,
    }
    this.#part = next
    for (const frame of this.#grid?.waiting ?? []) countFrame(next, frame)
  }

  /** Whether a part is long enough. The first one waits for sound: a recording that begins without it has no track for it. */
  #mayEnd({ startMs }: OpenPart, endMs: number): boolean {
    const waitsForAudio = !this.#hasBegun && !this.#audio
    return endMs - startMs >= (waitsForAudio ? AUDIO_WAIT_MS : MIN_PART_MS)
  }

  async #endPart(endMs: number): Promise<void> {
    const part = this.#part
    if (!part || !this.#video) return
    if (!this.#hasBegun) await this.#begin(this.#video)
    const end = Math.max(endMs, part.lastMs + 1)
    if (end - part.startMs >= MAX_PART_MS) throw new StreamEnded('keyframes')
    if (this.#audio) this.#grid ??= new AudioGrid(this.#audio, part.startMs)
    const audioStartSeconds = this.#grid?.startSeconds ?? 0
    const sound = this.#grid?.take(end)
    await this.#writeChunk(part, end, sound?.samples.slice(part.chunks?.sounds))
    const index = this.#index
    const isResumed = this.#isResumed
    // before it is stored: a part that failed is not stored again
    this.#index += 1
    this.#isResumed = false
    this.#part = undefined
    await this.#options.onPart({
      index,
      startSeconds: part.startMs / 1000,
      endSeconds: end / 1000,
      video: this.#writeVideo(index, part.samples, end),
      audio: sound && writeSegment(2 * index + 2, sound.samples, sound.endTicks, AUDIO_TRACK),
      audioStartSeconds,
      audioEndSeconds: this.#grid?.endSeconds ?? 0,
      isResumed,
    })
  }

  /**
   * Ends a chunk before a frame that is shown after all others so far. Encoders then have sent all that is shown before it: its
   * decode times are those that these frames have in the part.
   */
  async #endChunkBefore(part: OpenPart, ms: number): Promise<void> {
    const { chunks, samples, lastMs, reorderMs } = part
    if (!chunks) return
    // an encoder that orders its frames otherwise: viewers get the part once it is complete
    if (ms < chunks.lastMs) part.chunks = undefined
    const count = samples.length - chunks.frames
    if (ms <= lastMs || count < 2) return
    const frameMs = (lastMs - chunks.endMs) / (count - 1)
    const end = Math.min(ms, lastMs + frameMs)
    // behind a longer hole, players drop frames up to the next keyframe (Media Source Extensions, "coded frame processing")
    if (ms - reorderMs > end + frameMs) return
    if (end - chunks.endMs >= MIN_CHUNK_MS)
      await this.#writeChunk(part, end, this.#grid?.list(end, chunks.sounds))
  }

  async #writeChunk(
    { chunks, samples, lastMs }: OpenPart,
    endMs: number,
    sounds: Sample[] = [],
  ): Promise<void> {
    if (!chunks) return
    const { count: chunk, frames, endMs: startMs } = chunks
    const part = this.#index
    const { sampleRate = 1, frameSamples = 0 } = this.#audio ?? {}
    const audioStart = sounds[0]?.pts ?? 0
    const audioEnd = sounds.length > 0 ? (sounds.at(-1)?.pts ?? 0) + frameSamples : 0
    chunks.count += 1
    chunks.frames = samples.length
    chunks.sounds += sounds.length
    chunks.lastMs = lastMs
    chunks.endMs = endMs
    await this.#options.onChunk?.({
      part,
      chunk,
      startSeconds: startMs / 1000,
      endSeconds: endMs / 1000,
      video: this.#writeVideo(part, samples.slice(frames), endMs),
      audio: sounds.length > 0 ? writeSegment(2 * part + 2, sounds, audioEnd, AUDIO_TRACK) : undefined,
      audioStartSeconds: audioStart / sampleRate,
      audioEndSeconds: audioEnd / sampleRate,
    })
  }

  #writeVideo(index: number, samples: OpenPart['samples'], endMs: number): Buffer {
    const toTicks = (ms: number) => Math.round((ms * this.#timescale) / 1000)
    const timed = samples.map((sample) => ({ ...sample, pts: toTicks(sample.ms) }))
    return writeSegment(2 * index + 1, timed, toTicks(endMs), VIDEO_TRACK)
  }

  async #begin(video: VideoConfig): Promise<void> {
    const { init, videoTimescale } = await writeInit(video, this.#audio)
    this.#timescale = videoTimescale
    const format = createHash('sha256')
      .update(video.data)
      .update(this.#audio?.data ?? '')
      .digest('hex')
    const { continues } = this.#options
    if (continues && continues.format !== format) throw new StreamEnded('format_changed')
    this.#hasBegun = true
    if (!continues) await this.#options.onBegin({ init, format })
  }

  #countBytes(bytes: number): void {
    const at = this.#options.isBuffered ? this.#clock.latestMs : this.#now()
    this.#rate.add(Math.max(bytes, MIN_MESSAGE_BYTES), at)
    if (this.#rate.bitsPerSecond > this.#options.maxBitsPerSecond * RATE_SLACK)
      throw new StreamEnded('bitrate')
  }

  #measureDelay(ms: number): void {
    const behind = this.#now() - ms
    this.#earliestMs = Math.min(this.#earliestMs, behind)
    this.#lateMs = Math.round(behind - this.#earliestMs)
  }
}

function countFrame(part: OpenPart, data: Buffer): void {
  part.bytes += data.length + FRAME_BYTES
  if (part.bytes > MAX_PART_BYTES) throw new StreamEnded('keyframes')
}
