const WINDOW_MS = 10_000
const STEP_MS = 1000

/** Rate at which bytes arrive, over the last ten seconds. */
export class ByteRate {
  /** Bytes of each second. */
  readonly #steps: { at: number; bytes: number }[] = []
  #bytes = 0
  #at = 0

  /** Counts bytes that arrived at a time in milliseconds. */
  add(bytes: number, at: number): void {
    const last = this.#steps.at(-1)
    if (last && at - last.at < STEP_MS) last.bytes += bytes
    else this.#steps.push({ at, bytes })
    this.#bytes += bytes
    this.#at = at
    while ((this.#steps[0]?.at ?? at) < at - WINDOW_MS) this.#bytes -= this.#steps.shift()?.bytes ?? 0
  }

  /** The beginning of a stream may arrive faster than it plays, so less than five seconds count as five. */
  get bitsPerSecond(): number {
    const first = this.#steps[0]?.at ?? 0
    return (this.#bytes * 8000) / Math.max(this.#at - first, WINDOW_MS / 2)
  }
}
