import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import styles from './load-more.module.css'

/** Pages loaded automatically before a button is shown, so that the footer stays reachable. */
const AUTOMATIC_PAGES = 3

/** Loads the next page of a list when its end is near the viewport; after a few pages it shows a button instead. */
export function LoadMore({
  hasMore,
  isLoading,
  hasFailed,
  onMore,
}: {
  hasMore: boolean
  isLoading: boolean
  hasFailed: boolean
  onMore: () => Promise<unknown>
}) {
  const ref = useRef<HTMLDivElement>(null)
  const [pagesLeft, setPagesLeft] = useState(AUTOMATIC_PAGES)
  const loadsAutomatically = hasMore && !isLoading && !hasFailed && pagesLeft > 0

  useEffect(() => {
    const end = ref.current
    if (!end || !loadsAutomatically) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        setPagesLeft((left) => left - 1)
        void onMore()
      },
      { rootMargin: '0px 0px 900px' },
    )
    observer.observe(end)
    return () => observer.disconnect()
  }, [loadsAutomatically, onMore])

  if (!hasMore) return null
  return (
    <div ref={ref} className={styles['more']}>
      {isLoading && <p role="status">{t`Loading more…`}</p>}
      {!isLoading && !loadsAutomatically && (
        <Button
          onClick={() => {
            setPagesLeft(AUTOMATIC_PAGES)
            void onMore()
          }}
        >
          {hasFailed ? t`Try again` : t`Show more`}
        </Button>
      )}
    </div>
  )
}
