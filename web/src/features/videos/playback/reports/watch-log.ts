import { retentionParts } from '@kinora/contract/constants.ts'

/** Where playback is, and what it shows. */
export interface Moment {
  seconds: number
  durationSeconds: number
  /** BCP 47; null without captions. */
  captions: string | null
  /** Pixels of the shorter side; null while unknown. */
  lines: number | null
}

/** Ranges watched since the last report. */
export interface Watched {
  isFirst: boolean
  watchedSeconds: number
  parts: number[]
  captions: string | null
  lines: number | null
}

/** Collects what one playback shows, for its reports. */
export class WatchLog {
  #lastSeconds: number | undefined
  #hasReported = false
  readonly #reportedParts = new Set<number>()
  #parts = new Set<number>()
  #watchedSeconds = 0
  #secondsOfCaptions = new Map<string | null, number>()
  #secondsOfLines = new Map<number | null, number>()

  /** Playback has reached this moment since the last one, unless it jumped. */
  advance({ seconds, durationSeconds, captions, lines }: Moment): void {
    const from = this.#lastSeconds
    this.#lastSeconds = seconds
    if (from === undefined || seconds <= from || !(durationSeconds > 0)) return
    const watched = seconds - from
    this.#watchedSeconds += watched
    add(this.#secondsOfCaptions, captions, watched)
    add(this.#secondsOfLines, lines, watched)
    const partSeconds = durationSeconds / retentionParts
    for (let part = Math.floor(from / partSeconds); part * partSeconds < seconds; part += 1)
      if (part < retentionParts && !this.#reportedParts.has(part)) this.#parts.add(part)
  }

  /** The next moment does not follow from the last one. */
  jump(): void {
    this.#lastSeconds = undefined
  }

  /** Returns what was watched since the last call; undefined if nothing was. */
  take(): Watched | undefined {
    const watchedSeconds = Math.round(this.#watchedSeconds * 10) / 10
    if (watchedSeconds === 0) return undefined
    const watched = {
      isFirst: !this.#hasReported,
      watchedSeconds,
      parts: [...this.#parts],
      captions: longest(this.#secondsOfCaptions),
      lines: longest(this.#secondsOfLines),
    }
    for (const part of this.#parts) this.#reportedParts.add(part)
    this.#hasReported = true
    this.#parts = new Set()
    this.#watchedSeconds = 0
    this.#secondsOfCaptions = new Map()
    this.#secondsOfLines = new Map()
    return watched
  }
}

function add<Key>(seconds: Map<Key, number>, key: Key, more: number): void {
  seconds.set(key, (seconds.get(key) ?? 0) + more)
}

function longest<Key>(seconds: ReadonlyMap<Key, number>): Key | null {
  const [first] = [...seconds].toSorted(([, a], [, b]) => b - a)
  return first ? first[0] : null
}
