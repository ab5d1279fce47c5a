import { t } from '@lingui/core/macro'
import { spreadChannels } from '@kinora/contract/watching/spread-channels.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, memo, type ReactNode, Suspense, useDeferredValue, useState } from 'react'
import { itemsOf } from '../../../../lib/list-pages.ts'
import { Button } from '../../../../ui/button.tsx'
import { ErrorBoundary } from '../../../../ui/feedback/error-boundary.tsx'
import { Skeleton } from '../../../../ui/feedback/skeleton.tsx'
import { searchQuery } from '../api.ts'
import styles from './recommendations.module.css'
import { RecommendedCard } from './recommended-card.tsx'
import { useDismissals } from './use-dismissals.ts'

const MoreToWatch = lazy(async () => ({ default: (await import('./more-to-watch.tsx')).MoreToWatch }))

const STEP = 20

/**
 * Search results for the title of a video, at most two in a row of one channel, and on request other recommendations below them. Memoized and deferred,
 * because the page renders often while it loads and the player needs the main thread more.
 */
export const Recommendations = memo(function Recommendations({
  videoId,
  title,
  isSignedIn,
  action,
}: {
  videoId: string
  title: string | undefined
  isSignedIn: boolean
  /** Shown beside the heading. Memoize it, like everything that is passed here. */
  action?: ReactNode
}) {
  const query = useInfiniteQuery({ ...searchQuery(title ?? ''), enabled: title !== undefined })
  const [shown, setShown] = useState(STEP)
  const [showsOthers, setShowsOthers] = useState(false)
  const data = useDeferredValue(query.data)
  const isPending = query.isPending || (data === undefined && query.isSuccess)
  const dismissals = useDismissals(isSignedIn)
  const found = itemsOf(data).filter((video) => video._id !== videoId)
  const relevant = found.filter(dismissals.shows)
  const spread = spreadChannels(relevant, ({ videoOwner }) => videoOwner?._id)
  // Videos that cannot be placed without three in a row of one channel come last.
  const videos = [...spread, ...relevant.filter((video) => !spread.includes(video))]
  return (
    <>
      <section className={styles['aside']} aria-label={t`Recommended videos`}>
        <div className={styles['head']}>
          <h2>{t`Recommended`}</h2>
          {action}
        </div>
        <div className={styles['list']}>
          {isPending && <RecommendationsSkeleton />}
          {videos.slice(0, shown).map((video) => (
            <ErrorBoundary key={video._id} fallback={t`This video cannot be displayed.`}>
              <RecommendedCard
                video={video}
                reason={t`Shares words with the title of this video`}
                dismissals={dismissals}
              />
            </ErrorBoundary>
          ))}
        </div>
        {!isPending && videos.length === 0 && (
          <p className={styles['none']}>{t`No recommendations available`}</p>
        )}
        {videos.length > shown && (
          <Button className={styles['more']} onClick={() => setShown(shown + STEP)}>{t`Show more`}</Button>
        )}
      </section>
      <div>
        <Button
          className={styles['more']}
          aria-expanded={showsOthers}
          onClick={() => setShowsOthers(!showsOthers)}
        >{t`More to watch`}</Button>
        {showsOthers && (
          <Suspense>
            <MoreToWatch
              videoId={videoId}
              shownIds={found.slice(0, shown).map(({ _id }) => _id)}
              isSignedIn={isSignedIn}
            />
          </Suspense>
        )}
      </div>
    </>
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
