import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { PlaybackState } from '../state/playback-state.ts'

const EVERY_SECONDS = 10

/** Holds the function that reports the current position; set by `usePositionReports`. */
type PositionReporter = RefObject<() => void>

/**
 * Reports the position when the page is left. Call it before the hook that opens the stream: cleanups run in order, and
 * closing the stream resets the position.
 */
export function useReportOnLeaving(): PositionReporter {
  const report = useRef(() => {})
  useLayoutEffect(() => {
    const onLeave = () => report.current()
    addEventListener('pagehide', onLeave)
    return () => {
      removeEventListener('pagehide', onLeave)
      onLeave()
    }
  }, [])
  return report
}

/**
 * Reports the position every few seconds of video, on pause, and 0 at the end. It reads the element, because a seek
 * reaches the state later than the page may unload.
 */
export function usePositionReports(
  reporterRef: PositionReporter,
  video: RefObject<HTMLVideoElement | null>,
  { hasStarted, isPaused, isEnded, currentSeconds }: PlaybackState,
  onPosition: ((seconds: number, isEnded: boolean, durationSeconds: number) => void) | undefined,
) {
  useLayoutEffect(() => {
    reporterRef.current = () => {
      const element = video.current
      if (element && (hasStarted || element.played.length > 0))
        onPosition?.(element.ended ? 0 : element.currentTime, element.ended, element.duration)
    }
  })

  const interval = Math.floor(currentSeconds / EVERY_SECONDS)
  useEffect(() => {
    reporterRef.current()
    // The last four trigger a report; the effect does not read them.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [reporterRef, interval, hasStarted, isPaused, isEnded])
}
