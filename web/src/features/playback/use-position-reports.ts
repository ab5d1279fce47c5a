import { useEffect, useRef } from 'react'
import type { PlaybackState } from './playback-state.ts'

const EVERY_SECONDS = 10

/** Tells where the viewer is: every few seconds of video, on pausing, on leaving; 0 once it is over. */
export function usePositionReports(
  state: PlaybackState,
  onPosition: ((seconds: number) => void) | undefined,
) {
  const { hasStarted, isPaused, isEnded, currentSeconds } = state
  const latest = useRef(() => {})
  useEffect(() => {
    latest.current = () => {
      if (hasStarted) onPosition?.(isEnded ? 0 : currentSeconds)
    }
  })

  const stretch = Math.floor(currentSeconds / EVERY_SECONDS)
  // Each of the four is an occasion; the effect reads nothing of them.
  // oxlint-disable-next-line react/exhaustive-effect-dependencies
  useEffect(() => latest.current(), [stretch, hasStarted, isPaused, isEnded])

  useEffect(() => {
    const onHide = () => latest.current()
    addEventListener('pagehide', onHide)
    return () => {
      removeEventListener('pagehide', onHide)
      onHide()
    }
  }, [])
}
