/**
 * When something that lives but does not serve is restarted. All times are here; docs/operations/monitoring.md explains
 * them. They are long, because a restart of a machine that is only slow makes it slower.
 */
export const watchdogTimes = {
  /** Between two heartbeats of a web process or worker, sent by a timer of its event loop. */
  heartbeatMs: 5000,
  /** After this time without a heartbeat, the process is restarted. */
  silentProcessMs: 30_000,
  /** The same before its first heartbeat, while its program is read and compiled. */
  silentStartMs: 120_000,
  /** Between two probes of the embedded PostgreSQL. */
  databaseProbeMs: 5000,
  /** A probe fails after this time. */
  databaseProbeTimeoutMs: 20_000,
  /** After this time without a response and without progress of a recovery, PostgreSQL is restarted. */
  silentDatabaseMs: 60_000,
  /** Time of a fast shutdown of PostgreSQL. An immediate one follows, from which the next start recovers. */
  shutdownMs: 15_000,
  /** Time to end after the gentle signal, before the kill. */
  graceMs: 10_000,
}

export type WatchdogTimes = typeof watchdogTimes

/**
 * Measures how long something has been silent, on the monotonic clock of the observer. Where the observer was itself
 * stopped or starved, the time between two of its checks counts as `longestGapMs` at most: the machine was suspended, or
 * everything on it is slow.
 */
export class Silence {
  readonly #longestGapMs: number
  #silentMs = 0
  #checkedAt = performance.now()

  constructor(longestGapMs: number) {
    this.#longestGapMs = longestGapMs
  }

  /** Records a heartbeat or another sign of life. */
  reset(): void {
    this.#silentMs = 0
  }

  /** Returns the milliseconds since the last sign of life. Call it at short intervals. */
  measure(now = performance.now()): number {
    this.#silentMs += Math.min(now - this.#checkedAt, this.#longestGapMs)
    this.#checkedAt = now
    return this.#silentMs
  }
}
