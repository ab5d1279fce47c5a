import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'

const STILL_MS = 2500

/** Whether the controls stand back: after a while without movement, while the video plays and nothing in them is in use. */
export function useChromeVisibility(region: RefObject<HTMLElement | null>, mayHide: boolean) {
  const [isStill, setStill] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const holds = useRef(0)

  const settle = useCallback(() => {
    const isFocused = region.current?.querySelector(':focus-visible') != null
    if (holds.current === 0 && !isFocused) setStill(true)
  }, [region])

  const wait = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(settle, STILL_MS)
  }, [settle])

  const stir = useCallback(() => {
    setStill(false)
    wait()
  }, [wait])

  useEffect(() => {
    const element = region.current
    if (!element || !mayHide) return
    // A touch has its own meaning, see TouchSurface; lifting the finger is not leaving.
    const onMove = (event: PointerEvent) => {
      if (event.pointerType === 'mouse') stir()
    }
    const onLeave = (event: PointerEvent) => {
      if (event.pointerType === 'mouse') settle()
    }
    wait()
    element.addEventListener('pointermove', onMove)
    element.addEventListener('pointerleave', onLeave)
    element.addEventListener('focusin', stir)
    element.addEventListener('focusout', stir)
    return () => {
      clearTimeout(timer.current)
      setStill(false)
      element.removeEventListener('pointermove', onMove)
      element.removeEventListener('pointerleave', onLeave)
      element.removeEventListener('focusin', stir)
      element.removeEventListener('focusout', stir)
    }
  }, [region, mayHide, wait, stir, settle])

  return useMemo(
    () => ({
      isHidden: isStill && mayHide,
      stir,
      hide: () => setStill(true),
      /** Keeps the controls as long as a menu is open. */
      hold: (isHeld: boolean) => {
        holds.current += isHeld ? 1 : -1
        stir()
      },
    }),
    [isStill, mayHide, stir],
  )
}
