/** A longer step between two ticks means that the computer slept. */
const maxStepMs = 3000

/**
 * Position of a recording: the time since its start without pauses, and without the time that the computer slept. Times are
 * those of `Date.now`, which goes on during sleep in every browser.
 */
export class RecordingClock {
  #positionMs = 0
  #lastMs: number | undefined

  get positionMs(): number {
    return this.#positionMs
  }

  get isRunning(): boolean {
    return this.#lastMs !== undefined
  }

  /** Starts, or continues after a pause. */
  start(nowMs: number): void {
    this.#lastMs ??= nowMs
  }

  pause(nowMs: number): void {
    this.tick(nowMs)
    this.#lastMs = undefined
  }

  /** Advances to a time, and returns whether the computer slept since the last tick: that time does not count. */
  tick(nowMs: number): boolean {
    if (this.#lastMs === undefined) return false
    const stepMs = nowMs - this.#lastMs
    this.#lastMs = nowMs
    if (stepMs > maxStepMs) return true
    // A clock that was set back stands still for a moment.
    this.#positionMs += Math.max(0, stepMs)
    return false
  }
}
