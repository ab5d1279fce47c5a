/** When playback pauses: at a time, or at the end of the video. */
export type Sleep = { minutes: number; atMs: number } | 'end-of-video'

/** Minutes in the menu. */
export const sleepMinutes = [15, 30, 45, 60] as const

const KEY = 'kinora.sleep'

/** Parses a stored timer; undefined for none, an invalid one, and one that has expired by `nowMs`. */
export function sleepFromStored(stored: string | null, nowMs: number): Sleep | undefined {
  if (stored === 'end-of-video') return stored
  const [minutes = NaN, atMs = NaN] = (stored ?? '').split(' ').map(Number)
  const isValid = sleepMinutes.some((each) => each === minutes) && atMs <= nowMs + minutes * 60_000
  return isValid && atMs > nowMs ? { minutes, atMs } : undefined
}

/** The timer of this tab, which outlasts the change to the next video. */
export function loadSleep(nowMs: number): Sleep | undefined {
  try {
    return sleepFromStored(sessionStorage.getItem(KEY), nowMs)
  } catch {
    // Storage may be blocked.
    return undefined
  }
}

export function saveSleep(sleep: Sleep | undefined): void {
  try {
    if (!sleep) sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, typeof sleep === 'string' ? sleep : `${sleep.minutes} ${sleep.atMs}`)
  } catch {
    // Storage may be blocked: the timer then applies to this video only.
  }
}
