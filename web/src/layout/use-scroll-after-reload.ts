import { useEffect } from 'react'

/** Key under which the router stores the scroll positions of the history. */
const STORAGE_KEY = 'react-router-scroll-positions'
/** A list that is still too short after this time has fewer items than before the reload. */
const GIVE_UP_MS = 10_000
const userInputs = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/**
 * Restores the scroll position after a reload, or after going back to a page that was unloaded. The router scrolls
 * once, when a list still has its first items only. This hook scrolls while the page grows, which makes lists load
 * more. The first user input stops it.
 */
export function useScrollAfterReload(): void {
  useEffect(() => {
    const place = findSavedPosition()
    if (place === 0) return
    const ended = new AbortController()
    const { pathname } = location
    const growth = new ResizeObserver(() => {
      if (location.pathname !== pathname) return ended.abort()
      if (Math.abs(scrollY - place) > 1) scrollTo(0, place)
      if (Math.abs(scrollY - place) <= 1) ended.abort()
    })
    ended.signal.addEventListener('abort', () => growth.disconnect())
    for (const name of userInputs)
      addEventListener(name, () => ended.abort(), { signal: ended.signal, passive: true })
    const timer = setTimeout(() => ended.abort(), GIVE_UP_MS)
    growth.observe(document.body)
    return () => {
      clearTimeout(timer)
      ended.abort()
    }
  }, [])
}

/** Pixels from the top; 0 for a newly opened page or one at its top. */
function findSavedPosition(): number {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (navigation?.type !== 'reload' && navigation?.type !== 'back_forward') return 0
  try {
    const places = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}') as Record<string, number>
    const { key } = (history.state ?? {}) as { key?: string }
    return (key !== undefined && places[key]) || 0
  } catch {
    // Storage may be blocked.
    return 0
  }
}
