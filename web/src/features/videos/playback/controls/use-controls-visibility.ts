import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'

const IDLE_MS = 2500

/** Hides the controls during playback after a while without pointer movement, unless one of them is in use. */
export function useControlsVisibility(region: RefObject<HTMLElement | null>, mayHide: boolean) {
  const [isIdle, setIdle] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const holds = useRef(0)

  const hideIfUnused = useCallback(() => {
    const isFocused = region.current?.querySelector(':focus-visible') != null
    if (holds.current === 0 && !isFocused) setIdle(true)
  }, [region])

  const hideAfterDelay = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(hideIfUnused, IDLE_MS)
  }, [hideIfUnused])

  const show = useCallback(() => {
    setIdle(false)
    hideAfterDelay()
  }, [hideAfterDelay])

  useEffect(() => {
    const element = region.current
    if (!element || !mayHide) return
    // TouchSurface handles touches; lifting a finger also fires `pointerleave`.
    const onMove = (event: PointerEvent) => {
      if (event.pointerType === 'mouse') show()
    }
    const onLeave = (event: PointerEvent) => {
      if (event.pointerType === 'mouse') hideIfUnused()
    }
    hideAfterDelay()
    element.addEventListener('pointermove', onMove)
    element.addEventListener('pointerleave', onLeave)
    element.addEventListener('focusin', show)
    element.addEventListener('focusout', show)
    return () => {
      clearTimeout(timer.current)
      setIdle(false)
      element.removeEventListener('pointermove', onMove)
      element.removeEventListener('pointerleave', onLeave)
      element.removeEventListener('focusin', show)
      element.removeEventListener('focusout', show)
    }
  }, [region, mayHide, hideAfterDelay, show, hideIfUnused])

  return useMemo(
    () => ({
      isHidden: isIdle && mayHide,
      show,
      hide: () => setIdle(true),
      /** Keeps the controls as long as a menu is open. */
      hold: (isHeld: boolean) => {
        holds.current += isHeld ? 1 : -1
        show()
      },
    }),
    [isIdle, mayHide, show],
  )
}
