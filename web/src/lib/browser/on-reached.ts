/** A position this close to a time counts as the time: browsers pause a frame early or late. */
const TOLERANCE_SECONDS = 0.04

/**
 * Calls `act` each time playback, not a seek, reaches a time, until the returned function is called. `timeupdate` alone is up
 * to a quarter of a second late.
 */
export function onReached(media: HTMLMediaElement, seconds: number, act: () => void): () => void {
  const listening = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isBefore = false
  const check = () => {
    clearTimeout(timer)
    const leftSeconds = seconds - media.currentTime
    const isReached = leftSeconds <= TOLERANCE_SECONDS
    const isMoving = !media.paused && !media.seeking
    if (isReached && isMoving && isBefore) act()
    isBefore = !isReached
    if (isMoving && isBefore) timer = setTimeout(check, (leftSeconds / media.playbackRate) * 1000)
  }
  for (const event of ['timeupdate', 'playing', 'pause', 'seeking', 'seeked', 'ratechange'])
    media.addEventListener(event, check, { signal: listening.signal })
  check()
  return () => {
    clearTimeout(timer)
    listening.abort()
  }
}
