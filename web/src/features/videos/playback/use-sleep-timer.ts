import { useEffect, useEffectEvent, useState } from 'react'
import type { PlaybackState } from './state/playback-state.ts'
import { loadSleep, saveSleep, type Sleep, sleepMinutes } from './state/sleep-timer.ts'

export type SleepTimer = {
  sleep: Sleep | undefined
  /** Starts the timer, by minutes or for the end of the video; undefined turns it off. */
  choose: (choice: (typeof sleepMinutes)[number] | 'end-of-video' | undefined) => void
  /** Call it when the video has ended. */
  onEnded: () => void
  /** The timer ends playback with this video: the next one must not start. */
  preventsNext: boolean
}

/** Pauses playback after a time that the viewer chose, or at the end of the video. */
export function useSleepTimer({ isPaused }: Pick<PlaybackState, 'isPaused'>, pause: () => void): SleepTimer {
  const [sleep, setSleep] = useState(() => loadSleep(Date.now()))
  const [hasExpired, setExpired] = useState(false)
  if (hasExpired && !isPaused) setExpired(false)

  function change(next: Sleep | undefined) {
    setSleep(next)
    saveSleep(next)
  }
  function expireNow() {
    change(undefined)
    setExpired(true)
    pause()
  }
  const expire = useEffectEvent(expireNow)
  useEffect(() => {
    if (typeof sleep !== 'object') return
    const timer = setTimeout(expire, sleep.atMs - Date.now())
    return () => clearTimeout(timer)
  }, [sleep])

  return {
    sleep,
    choose: (choice) =>
      change(typeof choice === 'number' ? { minutes: choice, atMs: Date.now() + choice * 60_000 } : choice),
    onEnded: () => {
      if (sleep === 'end-of-video') expireNow()
    },
    preventsNext: hasExpired || sleep === 'end-of-video',
  }
}
