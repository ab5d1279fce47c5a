import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { WatchLog, Watched } from './watch-log.ts'

/**
 * Calls `onWatched` with what was watched when the page is hidden or left. Call it before the hook that opens the stream:
 * cleanups run in order, and closing the stream resets the position.
 */
export function useWatchReports(
  video: RefObject<HTMLVideoElement | null>,
  log: WatchLog,
  onWatched: ((watched: Watched) => void) | undefined,
): void {
  const latest = useRef(onWatched)
  useLayoutEffect(() => {
    latest.current = onWatched
  })
  useLayoutEffect(() => {
    const element = video.current
    if (!element) return
    const listening = new AbortController()
    const on = (name: string, handle: () => void, target: EventTarget = element) =>
      target.addEventListener(name, handle, { signal: listening.signal })
    const jump = () => log.jump()
    const advance = () => {
      if (element.seeking) return jump()
      log.advance({
        seconds: element.currentTime,
        durationSeconds: element.duration,
        captions: shownLanguage(element),
        lines: Math.min(element.videoWidth, element.videoHeight) || null,
      })
    }
    const report = () => {
      advance()
      const watched = log.take()
      if (watched) latest.current?.(watched)
    }
    const positioned = ['loadedmetadata', 'seeked']
    for (const name of [...positioned, 'playing', 'timeupdate', 'pause', 'ended']) on(name, advance)
    for (const name of ['seeking', 'emptied']) on(name, jump)
    // Phones end hidden pages without a further event.
    on('visibilitychange', () => document.visibilityState === 'hidden' && report(), document)
    on('pagehide', report, window)
    return () => {
      listening.abort()
      report()
      // Another player may continue with this log.
      jump()
    }
  }, [video, log])
}

/** Language of the captions that are shown; null for none. */
function shownLanguage({ textTracks }: HTMLVideoElement): string | null {
  const shown = [...textTracks].find(({ mode }) => mode === 'showing')
  return shown ? shown.language || 'und' : null
}
