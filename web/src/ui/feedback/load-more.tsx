import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import styles from './load-more.module.css'

/** Pages loaded automatically before a button is shown, so that the footer stays reachable. */
const AUTOMATIC_PAGES = 3

/** The part of a paged query that its end needs. */
export interface MorePages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => Promise<unknown>
}

/** Loads the next page of a list when its end is near the viewport; after a few pages it shows a button instead. */
export function LoadMore({ query }: { query: MorePages }) {
  const {
    hasNextPage: hasMore,
    isFetchingNextPage: isLoading,
    isFetchNextPageError: hasFailed,
    fetchNextPage: loadMore,
  } = query
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
        void loadMore()
      },
      { rootMargin: '0px 0px 900px' },
    )
    observer.observe(end)
    return () => observer.disconnect()
  }, [loadsAutomatically, loadMore])

  if (!hasMore) return null
  return (
    <div ref={ref} className={styles['more']}>
      {isLoading && <p role="status">{t`Loading more…`}</p>}
      {!isLoading && !loadsAutomatically && (
        <Button
          onClick={() => {
            setPagesLeft(AUTOMATIC_PAGES)
            void loadMore()
          }}
        >
          {hasFailed ? t`Try again` : t`Show more`}
        </Button>
      )}
    </div>
  )
}
