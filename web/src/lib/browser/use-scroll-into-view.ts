import { type RefObject, useEffect } from 'react'

/** How long content that arrives later may move the page. */
const SETTLES_AFTER_MS = 5000

/** Scrolls to an element, again whenever the page changes its height, until a person scrolls or does something else. */
export function useScrollIntoView(element: RefObject<HTMLElement | null>, isWanted: boolean): void {
  useEffect(() => {
    const target = element.current
    if (!isWanted || !target) return
    const show = () => target.scrollIntoView({ block: 'center' })
    show()
    const observer = new ResizeObserver(show)
    observer.observe(document.body)
    const listening = new AbortController()
    const stop = () => {
      observer.disconnect()
      listening.abort()
      clearTimeout(timeout)
    }
    const timeout = setTimeout(stop, SETTLES_AFTER_MS)
    for (const event of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
      addEventListener(event, stop, { signal: listening.signal, passive: true })
    return stop
  }, [element, isWanted])
}
