/** Time without progress after which a transfer is repeated: networks lose connections without closing them. */
export const usualStallMs = 60_000
/** A transfer ends after about ten minutes without progress. */
const maxStalls = 10

/**
 * Watches the progress of a transfer. `repeat` runs after each `stallMs` without progress, `giveUp` after ten of them. Call
 * `onSent` with the number of sent bytes, and `stop` once the transfer has ended.
 */
export function watchStalls(
  { repeat, giveUp }: { repeat: () => void; giveUp: () => void },
  stallMs = usualStallMs,
): { onSent: (sentBytes: number) => void; stop: () => void } {
  let most = 0
  let stalls = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const start = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      stalls += 1
      if (stalls >= maxStalls) return giveUp()
      start()
      repeat()
    }, stallMs)
  }
  start()
  return {
    onSent: (sentBytes) => {
      // a repeated request begins with bytes that were sent before
      if (sentBytes > most) stalls = 0
      most = Math.max(most, sentBytes)
      start()
    },
    stop: () => clearTimeout(timer),
  }
}
