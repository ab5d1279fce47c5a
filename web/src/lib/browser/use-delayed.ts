import { type RefObject, useEffect, useRef } from 'react'

interface Delayed {
  timer: number
  run: () => void
}

/** Runs a function after a delay. `flush`, unmounting the component and leaving the page run it immediately. */
export function useDelayed() {
  const waiting = useRef<Delayed>(undefined)
  useEffect(() => {
    const flush = () => take(waiting)?.run()
    window.addEventListener('pagehide', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [])
  return {
    after: (ms: number, run: () => void) => {
      waiting.current = { timer: window.setTimeout(() => take(waiting)?.run(), ms), run }
    },
    flush: () => take(waiting)?.run(),
    cancel: () => void take(waiting),
  }
}

function take(waiting: RefObject<Delayed | undefined>): Delayed | undefined {
  const { current } = waiting
  if (current) window.clearTimeout(current.timer)
  waiting.current = undefined
  return current
}
