import type { Sample } from '@kinora/media/containers/mp4/fmp4.ts'
import type { AudioConfig } from '../flv/configs.ts'

/** Samples of an AAC frame. */
const FRAME = 1024
/** Rounding to milliseconds and uneven encoders move frames by less. */
const TOLERANCE = 3 * FRAME
/** Audio that is this far behind the video has stopped. */
const STOPPED_SECONDS = 1.5

/**
 * The audio of a stream as consecutive frames: silence takes the place of missing ones, so that the sound of a recording has
 * no gap, and a clock that drifts is corrected.
 */
export class AudioGrid {
  readonly #config: AudioConfig
  #samples: Sample[] = []
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

  /** Adds a frame. Returns whether it was in time. */
  add(timeMs: number, data: Buffer): boolean {
    const at = this.#ticks(timeMs)
    if (at < this.#next - TOLERANCE) return false
    if (at > this.#next + TOLERANCE) this.#fillUntil(at)
    this.#push(data)
    return true
  }

  /** Takes the frames of a part that ends at a time; undefined if there are none. */
  take(endMs: number): { samples: Sample[]; endTicks: number } | undefined {
    const end = this.#ticks(endMs)
    if (end - this.#next > STOPPED_SECONDS * this.#config.sampleRate) this.#fillUntil(end)
    const samples = this.#samples
    this.#samples = []
    return samples.length === 0 ? undefined : { samples, endTicks: this.#next }
  }

  #fillUntil(end: number): void {
    const { silence } = this.#config
    if (!silence) {
      this.#next = end
      return
    }
    while (this.#next + FRAME / 2 < end) this.#push(silence)
  }

  #push(data: Buffer): void {
    this.#samples.push({ pts: this.#next, isKey: true, data })
    this.#next += FRAME
  }

  #ticks(timeMs: number): number {
    return Math.round((timeMs * this.#config.sampleRate) / 1000)
  }
}
