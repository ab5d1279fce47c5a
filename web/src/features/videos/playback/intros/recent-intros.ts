/** An intro is shown again in the same tab after this time, so that somebody who watches one video after another sees it once. */
export const introPauseMs = 10 * 60_000

const keyOf = (videoId: string) => `kinora.intro.${videoId}`

/** Whether this tab has shown an intro lately. */
export function wasShownLately(videoId: string, nowMs: number): boolean {
  try {
    return nowMs - Number(sessionStorage.getItem(keyOf(videoId)) ?? -Infinity) < introPauseMs
  } catch {
    // Storage may be blocked, as in frames of other sites.
    return false
  }
}

/** Remembers that this tab shows an intro. */
export function saveShown(videoId: string, nowMs: number): void {
  try {
    sessionStorage.setItem(keyOf(videoId), String(nowMs))
  } catch {
    // Storage may be blocked: the next video then has its intro, too.
  }
}
