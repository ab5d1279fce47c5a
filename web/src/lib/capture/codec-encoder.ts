import {
  AppendOnlyStreamTarget,
  AudioSample,
  AudioSampleSource,
  canEncodeVideo,
  CanvasSource,
  type EncodedPacket,
  getFirstEncodableAudioCodec,
  Mp4OutputFormat,
  NullTarget,
  Output,
  Quality,
} from 'mediabunny'
import { channels } from './audio-mixer.ts'
import {
  audioBitrate,
  type Encoder,
  type EncoderOptions,
  framesPerSecond,
  keyFrameSeconds,
  videoBitrate,
} from './encoder.ts'
import { SoundTimeline } from './sound-timeline.ts'

/** Longest piece of silence, so that a long one takes little memory. */
const silenceFrames = 48_000

/** Receives what is encoded, instead of a file. The configuration of a track comes with its first packet. */
export interface PacketSink {
  addPicture(packet: EncodedPacket, configuration: Uint8Array | undefined): void
  addSound(packet: EncodedPacket, configuration: Uint8Array | undefined, codec: 'aac' | 'opus'): void
}

/**
 * An encoder with WebCodecs, which writes fragmented MP4 of H.264 and AAC or Opus, or sends their packets to `sink`; undefined
 * where these are missing.
 */
export async function openCodecEncoder(
  options: EncoderOptions,
  sink?: PacketSink,
): Promise<Encoder | undefined> {
  if (!('VideoEncoder' in globalThis && 'AudioEncoder' in globalThis)) return undefined
  if (!('AudioWorkletNode' in globalThis) || !options.types.includes('video/mp4')) return undefined
  const { width, height } = options.canvas
  const video = { width, height, quality: new Quality({ bitrate: videoBitrate({ width, height }) }) }
  const sound = {
    numberOfChannels: channels,
    sampleRate: options.mixer.sampleRate,
    quality: new Quality({ bitrate: audioBitrate }),
  }
  const [hasVideo, audioCodec] = await Promise.all([
    canEncodeVideo('avc', video),
    getFirstEncodableAudioCodec(['aac', 'opus'], sound),
  ])
  if (!hasVideo || (audioCodec !== 'aac' && audioCodec !== 'opus')) return undefined
  return new CodecEncoder(options, audioCodec, sink)
}

class CodecEncoder implements Encoder {
  readonly type = 'video/mp4'
  readonly #options: EncoderOptions
  readonly #output: Output
  readonly #picture: CanvasSource
  readonly #sound: AudioSampleSource
  readonly #timeline: SoundTimeline
  /** Whether the encoder has as many pictures as it takes. */
  #isBusy = false
  #isRunning = false
  #lastMs = -1

  constructor(options: EncoderOptions, audioCodec: 'aac' | 'opus', packets: PacketSink | undefined) {
    this.#options = options
    this.#timeline = new SoundTimeline(options.mixer.sampleRate)
    const { width, height } = options.canvas
    const sink = new WritableStream<Uint8Array<ArrayBuffer>>({
      write: (bytes) => options.onFragment(new Blob([bytes])),
    })
    this.#output = new Output({
      format: new Mp4OutputFormat({ fastStart: 'fragmented', minimumFragmentDuration: 1 }),
      target: packets ? new NullTarget() : new AppendOnlyStreamTarget(sink),
    })
    this.#picture = new CanvasSource(options.canvas, {
      codec: 'avc',
      quality: new Quality({ bitrate: videoBitrate({ width, height }) }),
      keyFrameInterval: keyFrameSeconds,
      latencyMode: 'realtime',
      onEncodedPacket: (packet, meta) =>
        packets?.addPicture(packet, bytesOf(meta?.decoderConfig?.description)),
    })
    this.#sound = new AudioSampleSource({
      codec: audioCodec,
      quality: new Quality({ bitrate: audioBitrate }),
      onEncodedPacket: (packet, meta) =>
        packets?.addSound(packet, bytesOf(meta?.decoderConfig?.description), audioCodec),
    })
    this.#output.addVideoTrack(this.#picture)
    this.#output.addAudioTrack(this.#sound)
  }

  async start(): Promise<void> {
    await this.#output.start()
    await this.#options.mixer.listen((samples) => this.#takeSound(samples))
    this.#isRunning = true
  }

  pause(): void {
    this.#isRunning = false
  }

  resume(): void {
    this.#isRunning = true
  }

  async stop(): Promise<void> {
    this.#isRunning = false
    await this.#output.finalize()
  }

  takePicture(): void {
    const positionMs = this.#options.positionMs()
    // A frame is left out while the encoder is behind.
    if (!this.#isRunning || this.#isBusy || positionMs <= this.#lastMs) return
    this.#lastMs = positionMs
    this.#isBusy = true
    this.#picture
      .add(positionMs / 1000, 1 / framesPerSecond)
      .catch(this.#options.onFailure)
      .finally(() => (this.#isBusy = false))
    this.#addSilence(this.#timeline.silenceDue(positionMs))
  }

  #takeSound(samples: Float32Array<ArrayBuffer>): void {
    if (!this.#isRunning) return
    const frames = samples.length / channels
    const silence = this.#timeline.silenceBefore(frames, this.#options.positionMs())
    if (silence === undefined) return
    this.#addSilence(silence)
    this.#add(samples)
  }

  #addSilence(frames: number): void {
    for (let left = frames; left > 0; left -= silenceFrames)
      this.#add(new Float32Array(channels * Math.min(left, silenceFrames)))
  }

  #add(data: Float32Array<ArrayBuffer>): void {
    const sample = new AudioSample({
      data,
      format: 'f32-planar',
      numberOfChannels: channels,
      sampleRate: this.#options.mixer.sampleRate,
      timestamp: this.#timeline.seconds,
    })
    this.#timeline.frames += data.length / channels
    this.#sound
      .add(sample)
      .catch(this.#options.onFailure)
      .finally(() => sample.close())
  }
}

function bytesOf(source: AllowSharedBufferSource | undefined): Uint8Array | undefined {
  if (!source) return undefined
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)
}
