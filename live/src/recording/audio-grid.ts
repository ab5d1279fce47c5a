import type { Sample } from '@kinora/media/containers/mp4/fmp4.ts'
import type { AudioConfig } from '../flv/configs.ts'

/** Rounding to milliseconds and uneven encoders move sound by fewer frames. */
const TOLERANCE_FRAMES = 3
/** Audio is sent a little before the picture that belongs to it. */
const LEAD_SECONDS = 0.2
/** Audio that is this far behind the video has stopped. */
const STOPPED_SECONDS = 1.5

/**
 * The audio of a stream as consecutive frames: silence takes the place of missing ones, so that the sound of a recording has
 * no gap, and a clock that drifts is corrected. Nothing is far ahead of the video: frames wait until it is there.
 */
export class AudioGrid {
  readonly #config: AudioConfig
  #samples: Sample[] = []
  /** Frames that the video has not reached. */
  #waiting: { at: number; data: Buffer }[] = []
  /** Where the next frame begins, in samples. */
  #next: number

  constructor(config: AudioConfig, beginMs: number) {
    this.#config = config
    this.#next = this.#ticks(beginMs)
  }

  /** Where the frames begin that `take` would return. */
  get startSeconds(): number {
    return (this.#samples[0]?.pts ?? this.#next) / this.#config.sampleRate
  }

  get endSeconds(): number {
    return this.#next / this.#config.sampleRate
  }

  /** Frames that a later part will have. */
  get waiting(): Buffer[] {
    return this.#waiting.map(({ data }) => data)
  }

  /** Adds a frame. Returns whether it was in time. The video is at `videoMs`. */
  add(timeMs: number, data: Buffer, videoMs: number): boolean {
    this.#place(this.#ticks(videoMs))
    const at = this.#ticks(timeMs)
    if (at < this.#next - this.#tolerance) return false
    this.#waiting.push({ at, data })
    this.#place(this.#ticks(videoMs))
    return true
  }

  /** The frames of the next part up to a time, from a number on. The part has them, too. */
  list(endMs: number, from: number): Sample[] {
    this.#place(this.#ticks(endMs))
    return this.#samples.slice(from)
  }

  /** Takes the frames of a part that ends at a time; undefined if there are none. */
  take(endMs: number): { samples: Sample[]; endTicks: number } | undefined {
    const end = this.#ticks(endMs)
    this.#place(end)
    if (end - this.#next > STOPPED_SECONDS * this.#config.sampleRate) this.#fillUntil(end)
    const samples = this.#samples
    this.#samples = []
    return samples.length === 0 ? undefined : { samples, endTicks: this.#next }
  }

  /** Places the frames that the video has reached, or almost if they continue the sound. */
  #place(videoTicks: number): void {
    let placed = 0
    for (const { at, data } of this.#waiting) {
      const isAfterGap = at > this.#next + this.#tolerance
      if (at > videoTicks + (isAfterGap ? 0 : LEAD_SECONDS * this.#config.sampleRate)) break
      if (isAfterGap) this.#fillUntil(at)
      if (at >= this.#next - this.#tolerance) this.#push(data)
      placed += 1
    }
    if (placed > 0) this.#waiting = this.#waiting.slice(placed)
  }

  get #tolerance(): number {
    return TOLERANCE_FRAMES * this.#config.frameSamples
  }

  #fillUntil(end: number): void {
    const { silence } = this.#config
    if (!silence) {
      this.#next = end
      return
    }
    while (this.#next + this.#config.frameSamples / 2 < end) this.#push(silence)
  }

  #push(data: Buffer): void {
    this.#samples.push({ pts: this.#next, isKey: true, data })
    this.#next += this.#config.frameSamples
  }

  #ticks(timeMs: number): number {
    return Math.round((timeMs * this.#config.sampleRate) / 1000)
  }
}
