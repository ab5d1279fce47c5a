import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Calls `onLeave` with the position when the page of a playing video is left within the site. Call it before the hook
 * that opens the stream: cleanups run in order, and closing the stream resets the position.
 */
export function usePlayingOnLeaving(
  video: RefObject<HTMLVideoElement | null>,
  onLeave: (seconds: number) => void,
): void {
  const latest = useRef(onLeave)
  useLayoutEffect(() => {
    latest.current = onLeave
  })
  useLayoutEffect(() => {
    const element = video.current
    return () => {
      if (element && !element.paused && !element.ended) latest.current(element.currentTime)
    }
  }, [video])
}
