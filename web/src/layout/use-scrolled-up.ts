import { useEffect, useState } from 'react'

/** Shorter movements are no change of direction: a finger trembles. */
const THRESHOLD_PX = 24

/** Whether the page was last scrolled up, on screens that match a media query; false at the top. */
export function useScrolledUp(mediaQuery: string): boolean {
  const [isUp, setUp] = useState(false)
  useEffect(() => {
    const media = matchMedia(mediaQuery)
    let turnedAt = scrollY
    let wasUp = false
    const follow = () => {
      // Measured from the last turning point: the farthest position in the current direction.
      turnedAt = wasUp ? Math.min(turnedAt, scrollY) : Math.max(turnedAt, scrollY)
      const isTurned = Math.abs(scrollY - turnedAt) > THRESHOLD_PX
      if (isTurned) {
        wasUp = scrollY < turnedAt
        turnedAt = scrollY
      }
      setUp(wasUp && scrollY > 0 && media.matches)
    }
    addEventListener('scroll', follow, { passive: true })
    media.addEventListener('change', follow)
    return () => {
      removeEventListener('scroll', follow)
      media.removeEventListener('change', follow)
    }
  }, [mediaQuery])
  return isUp
}
