import { useEffect, useEffectEvent, useState } from 'react'
import type { PlaybackState } from './state/playback-state.ts'
import { loadSleep, saveSleep, type Sleep, sleepMinutes } from './state/sleep-timer.ts'

export type SleepTimer = {
  sleep: Sleep | undefined
  /** Starts the timer, by minutes or for the end of the video; undefined turns it off. */
  choose: (choice: (typeof sleepMinutes)[number] | 'end-of-video' | undefined) => void
  onEnded: () => void
  /** The timer has ended this video: the next one must not start. */
  staysHere: boolean
}

/** Pauses playback after a time that the viewer chose, or at the end of the video. */
export function useSleepTimer({ isPaused }: Pick<PlaybackState, 'isPaused'>, pause: () => void): SleepTimer {
  const [sleep, setSleep] = useState(() => loadSleep(Date.now()))
  const [hasSlept, setSlept] = useState(false)
  if (hasSlept && !isPaused) setSlept(false)

  function change(next: Sleep | undefined) {
    setSleep(next)
    saveSleep(next)
  }
  function fallAsleepNow() {
    change(undefined)
    setSlept(true)
    pause()
  }
  const fallAsleep = useEffectEvent(fallAsleepNow)
  useEffect(() => {
    if (typeof sleep !== 'object') return
    const timer = setTimeout(fallAsleep, sleep.atMs - Date.now())
    return () => clearTimeout(timer)
  }, [sleep])

  return {
    sleep,
    choose: (choice) =>
      change(typeof choice === 'number' ? { minutes: choice, atMs: Date.now() + choice * 60_000 } : choice),
    onEnded: () => {
      if (sleep === 'end-of-video') fallAsleepNow()
    },
    staysHere: hasSlept || sleep === 'end-of-video',
  }
}
