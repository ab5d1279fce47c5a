/** Sound and picture may differ by as much before the sound is moved. */
const toleranceSeconds = 0.12
/** Sound that does not arrive is replaced by silence after this time, so that the picture does not wait for it. */
const patienceSeconds = 1

/**
 * Keeps the sound at the position of the picture: devices run at speeds of their own, and deliver nothing for a while when they
 * are changed. Counts frames, of which a second has `sampleRate`.
 */
export class SoundTimeline {
  readonly #sampleRate: number
  /** Frames so far, which is where the next ones begin. */
  frames = 0

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate
  }

  get seconds(): number {
    return this.frames / this.#sampleRate
  }

  /** Frames of silence before `count` frames that end at a position; undefined if these are to be left out. */
  silenceBefore(count: number, positionMs: number): number | undefined {
    const missing = this.#framesAt(positionMs) - count - this.frames
    const tolerance = toleranceSeconds * this.#sampleRate
    if (missing < -tolerance) return undefined
    return missing > tolerance ? missing : 0
  }

  /** Frames of silence that are due at a position. */
  silenceDue(positionMs: number): number {
    return Math.max(0, this.#framesAt(positionMs) - patienceSeconds * this.#sampleRate - this.frames)
  }

  #framesAt(positionMs: number): number {
    return Math.round((positionMs * this.#sampleRate) / 1000)
  }
}
