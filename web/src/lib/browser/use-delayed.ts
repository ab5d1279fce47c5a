import { type RefObject, useEffect, useRef } from 'react'

interface Delayed {
  timer: number
  run: () => void
}

/** Something to do later: `now` does it immediately. So does leaving the component, or closing or leaving the page. */
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
    now: () => take(waiting)?.run(),
    cancel: () => void take(waiting),
  }
}

function take(waiting: RefObject<Delayed | undefined>): Delayed | undefined {
  const { current } = waiting
  if (current) window.clearTimeout(current.timer)
  waiting.current = undefined
  return current
}
