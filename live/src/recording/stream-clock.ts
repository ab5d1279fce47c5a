import { StreamEnded } from '../refusals.ts'

type Kind = 'audio' | 'video'

/** A step back, or a longer pause than this, is a jump of the encoder's clock. */
const MAX_BACK_MS = 1000
const MAX_STEP_MS = 10_000
/** Distance of the frames before and after a jump. */
const JUMP_MS = 40
/** Clocks that jump more often are unusable. */
const MAX_JUMPS = 50

/**
 * Maps the timestamps of encoders, which wrap at 32 bits, begin anywhere and jump, to milliseconds that only grow. Audio and
 * video keep their distance.
 */
export class StreamClock {
  /** Difference to extended timestamps; undefined before the first. */
  #offset: number | undefined
  readonly #last: Record<Kind, { in: number; out: number } | undefined> = {
    audio: undefined,
    video: undefined,
  }
  #begin: number
  #jumps = 0

  /** The first timestamp becomes `beginMs`. */
  constructor(beginMs = 0) {
    this.#begin = beginMs
  }

  /** The next timestamp begins a new connection, whose clock is another one. */
  reconnect(beginMs: number): void {
    this.#begin = beginMs
    this.#offset = undefined
    this.#last.audio = undefined
    this.#last.video = undefined
  }

  /** The latest time that was mapped. */
  get latestMs(): number {
    return Math.max(this.#last.audio?.out ?? this.#begin, this.#last.video?.out ?? this.#begin)
  }

  map(kind: Kind, timestamp: number): number {
    const known = this.#last[kind] ?? this.#last.audio ?? this.#last.video
    // the difference of two 32-bit numbers as a signed one
    const extended = known ? known.in + ((timestamp - known.in) | 0) : timestamp
    this.#offset ??= this.#begin - extended
    const own = this.#last[kind]
    let out = extended + this.#offset
    if (own && (out < own.out - MAX_BACK_MS || out > own.out + MAX_STEP_MS)) {
      if ((this.#jumps += 1) > MAX_JUMPS) throw new StreamEnded('protocol')
      this.#offset += this.latestMs + JUMP_MS - out
      out = this.latestMs + JUMP_MS
    }
    out = Math.max(out, 0, own ? own.out : 0)
    this.#last[kind] = { in: extended, out }
    return out
  }
}
