import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { PlaybackState } from '../state/playback-state.ts'

const EVERY_SECONDS = 10

/** Tells where the viewer is, as `usePositionReports` has it. */
type TellPosition = RefObject<() => void>

/**
 * Tells it on leaving. Comes before the stream is opened, because it ends before what comes behind it: the closed stream takes
 * the place with it.
 */
export function usePositionOnLeaving(): TellPosition {
  const tell = useRef(() => {})
  useLayoutEffect(() => {
    const onLeave = () => tell.current()
    addEventListener('pagehide', onLeave)
    return () => {
      removeEventListener('pagehide', onLeave)
      onLeave()
    }
  }, [])
  return tell
}

/**
 * Tells where the viewer is every few seconds of video and on pausing; 0 once it is over. The element is asked, because a seek
 * reaches the state a moment later, and the page may be gone by then.
 */
export function usePositionReports(
  tellRef: TellPosition,
  video: RefObject<HTMLVideoElement | null>,
  { hasStarted, isPaused, isEnded, currentSeconds }: PlaybackState,
  onPosition: ((seconds: number) => void) | undefined,
) {
  useLayoutEffect(() => {
    tellRef.current = () => {
      const element = video.current
      if (element && (hasStarted || element.played.length > 0))
        onPosition?.(element.ended ? 0 : element.currentTime)
    }
  })

  const stretch = Math.floor(currentSeconds / EVERY_SECONDS)
  useEffect(() => {
    tellRef.current()
    // Each of the four is an occasion; the effect reads nothing of them.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [tellRef, stretch, hasStarted, isPaused, isEnded])
}
