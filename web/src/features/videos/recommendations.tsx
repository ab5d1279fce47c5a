import { useInfiniteQuery } from '@tanstack/react-query'
import { memo, type ReactNode, useDeferredValue, useState } from 'react'
import { itemsOf } from '../../lib/list-pages.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBoundary } from '../../ui/feedback/error-boundary.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { searchQuery } from './api.ts'
import styles from './recommendations.module.css'
import { VideoCard } from './cards/video-card.tsx'

const STEP = 20

/**
 * Search results for the title of a video. Memoized and deferred, because the page renders often while it loads and the
 * player needs the main thread more.
 */
export const Recommendations = memo(function Recommendations({
  videoId,
  title,
  action,
}: {
  videoId: string
  title: string | undefined
  /** Shown beside the heading. Memoize it, like everything that is passed here. */
  action?: ReactNode
}) {
  const query = useInfiniteQuery({ ...searchQuery(title ?? ''), enabled: title !== undefined })
  const [shown, setShown] = useState(STEP)
  const data = useDeferredValue(query.data)
  const isPending = query.isPending || (data === undefined && query.isSuccess)
  const videos = itemsOf(data).filter((video) => video._id !== videoId)
  return (
    <section className={styles['aside']} aria-label="Recommended videos">
      <div className={styles['head']}>
        <h2>Recommended</h2>
        {action}
      </div>
      <div className={styles['list']}>
        {isPending && <RecommendationsSkeleton />}
        {videos.slice(0, shown).map((video) => (
          <ErrorBoundary key={video._id} fallback="This video cannot be displayed.">
            <VideoCard video={video} variant="compact" heading="h3" />
          </ErrorBoundary>
        ))}
      </div>
      {!isPending && videos.length === 0 && <p className={styles['none']}>No recommendations available</p>}
      {videos.length > shown && (
        <Button className={styles['more']} onClick={() => setShown(shown + STEP)}>
          Show more
        </Button>
      )}
    </section>
  )
})

/** The list before it is there, in the same geometry. */
export function RecommendationsSkeleton() {
  return Array.from({ length: 8 }, (_, index) => (
    <div key={index} className={styles['skeleton']} aria-hidden="true">
      <div />
      <div>
        <Skeleton />
        <Skeleton />
        <Skeleton />
        <Skeleton />
      </div>
    </div>
  ))
}
