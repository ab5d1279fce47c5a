import type Hls from 'hls.js'

/** Length of the end that may be missing: of a longer one, something is left to load. */
const MISSING_SECONDS = 1
/** Time for which the library may still load or end by itself. */
const PATIENCE_MS = 2000

/**
 * Ends playback with a live stream that has ended: a stream that its encoder left in the middle of a segment can lack the
 * last frames of a track, for which hls.js 1.7 waits forever.
 */
export function endWithStream(stream: Hls, { Events }: typeof Hls, video: HTMLVideoElement): void {
  const closed = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined

  function endSoon() {
    clearTimeout(timer)
    timer = setTimeout(() => {
      const details = stream.latestLevelDetails
      // all of its tracks
      if (details?.live === false && hasRunDry(video, details.edge))
        stream.trigger(Events.BUFFER_EOS, { type: null })
    }, PATIENCE_MS)
  }

  stream.on(Events.LEVEL_UPDATED, (_event, { details }) => {
    if (!details.live) endSoon()
  })
  video.addEventListener('waiting', endSoon, { signal: closed.signal })
  stream.once(Events.DESTROYING, () => {
    closed.abort()
    clearTimeout(timer)
  })
}

/** Of an element that has something to play next (HTML). */
const HAVE_FUTURE_DATA = 3

/** Whether playback waits at the end of what is loaded, which is almost all. */
export function hasRunDry(
  { buffered, currentTime, readyState }: Pick<HTMLVideoElement, 'buffered' | 'currentTime' | 'readyState'>,
  endSeconds: number,
): boolean {
  if (readyState >= HAVE_FUTURE_DATA || buffered.length === 0) return false
  return endSeconds - Math.max(currentTime, buffered.end(buffered.length - 1)) < MISSING_SECONDS
}
