import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { PlaybackState } from './playback-state.ts'

const EVERY_SECONDS = 10

/**
 * Tells where the viewer is: every few seconds of video, on pausing, on leaving; 0 once it is over. The element is asked,
 * because a seek reaches the state a moment later, and the page may be gone by then.
 */
export function usePositionReports(
  video: RefObject<HTMLVideoElement | null>,
  { hasStarted, isPaused, isEnded, currentSeconds }: PlaybackState,
  onPosition: ((seconds: number) => void) | undefined,
) {
  const tell = useRef(() => {})
  useLayoutEffect(() => {
    tell.current = () => {
      const element = video.current
      if (element && (hasStarted || element.played.length > 0))
        onPosition?.(element.ended ? 0 : element.currentTime)
    }
  })

  const stretch = Math.floor(currentSeconds / EVERY_SECONDS)
  // Each of the four is an occasion; the effect reads nothing of them.
  // oxlint-disable-next-line react/exhaustive-effect-dependencies
  useEffect(() => tell.current(), [stretch, hasStarted, isPaused, isEnded])

  // Ends before the other effects do: the closed stream takes the place with it.
  useLayoutEffect(() => {
    const onLeave = () => tell.current()
    addEventListener('pagehide', onLeave)
    return () => {
      removeEventListener('pagehide', onLeave)
      onLeave()
    }
  }, [])
}
