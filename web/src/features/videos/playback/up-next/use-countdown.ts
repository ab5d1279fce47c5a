import { useEffect, useEffectEvent, useState } from 'react'

/**
 * Counts down in seconds while `isRunning`, then calls `onEnd`. Rests while a dialog is open or a text field has the focus,
 * so that nobody loses what they are writing.
 */
export function useCountdown(seconds: number, isRunning: boolean, onEnd: () => void): number {
  const [left, setLeft] = useState(seconds)
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    if (!isRunning) return
    if (left === 0) return end()
    const timer = setInterval(() => {
      if (!isBusy()) setLeft(left - 1)
    }, 1000)
    return () => clearInterval(timer)
  }, [isRunning, left])
  return left
}

function isBusy(): boolean {
  return (
    document.querySelector('dialog[open]') !== null ||
    document.activeElement?.matches('input, textarea') === true
  )
}
