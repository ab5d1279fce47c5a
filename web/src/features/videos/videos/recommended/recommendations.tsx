import { t } from '@lingui/core/macro'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { spreadChannels } from '@kinora/contract/watching/spread-channels.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, memo, type ReactNode, Suspense, useDeferredValue, useState } from 'react'
import { itemsOf } from '../../../../lib/list-pages.ts'
import { Button } from '../../../../ui/button.tsx'
import { ErrorBoundary } from '../../../../ui/feedback/error-boundary.tsx'
import { LoadFailure } from '../../../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../../../ui/feedback/skeleton.tsx'
import { searchQuery } from '../browse/api.ts'
import styles from './recommendations.module.css'
import { RecommendedCard } from './recommended-card.tsx'
import { type Dismissals, useDismissals } from './use-dismissals.ts'

const MoreToWatch = lazy(async () => ({ default: (await import('./more-to-watch.tsx')).MoreToWatch }))

const STEP = 20

/**
 * The recommendation that autoplay opens, search results for the title of a video, at most two in a row of one channel, and on
 * request other recommendations below them. Memoized and deferred, because the page renders often while it loads and the player
 * needs the main thread more.
 */
export const Recommendations = memo(function Recommendations({
  videoId,
  title,
  isSignedIn,
  upNext,
  action,
}: {
  videoId: string
  title: string | undefined
  isSignedIn: boolean
  /** Undefined until known, null for none. */
  upNext: Video | null | undefined
  /** Shown beside the first heading. Memoize it, like everything that is passed here. */
  action?: ReactNode
}) {
  const query = useInfiniteQuery({ ...searchQuery(title ?? ''), enabled: title !== undefined })
  const [shown, setShown] = useState(STEP)
  const [showsOthers, setShowsOthers] = useState(false)
  const data = useDeferredValue(query.data)
  const hasFailed = query.isError && data === undefined
  const isPending = query.isPending || (data === undefined && query.isSuccess)
  const dismissals = useDismissals(isSignedIn)
  const found = itemsOf(data).filter((video) => video._id !== videoId)
  const relevant = found.filter(dismissals.shows)
  const spread = spreadChannels(relevant, ({ videoOwner }) => videoOwner?._id)
  // Videos that cannot be placed without three in a row of one channel come last.
  const videos = [...spread, ...relevant.filter((video) => !spread.includes(video))]
  const others = videos.filter(({ _id }) => _id !== upNext?._id)
  const isNextFound = others.length < videos.length
  const first = upNext !== null && (
    <UpNext video={upNext} isFound={isNextFound} dismissals={dismissals} action={action} />
  )
  const isListShown = isPending || hasFailed || others.length > 0 || !isNextFound
  return (
    <>
      {/* By specification the list has what the search for the title finds. */}
      {!isNextFound && first}
      <section className={styles['aside']} aria-label={t`Recommended videos`}>
        {isNextFound && first}
        {isListShown && (
          <div className={styles['head']}>
            <h2>{t`Recommended`}</h2>
            {!first && action}
          </div>
        )}
        <div className={styles['list']}>
          {isPending && <RecommendationsSkeleton />}
          {others.slice(0, shown).map((video) => (
            <ErrorBoundary key={video._id} fallback={t`This video cannot be displayed.`}>
              <RecommendedCard video={video} reason={reasonOfFound()} dismissals={dismissals} />
            </ErrorBoundary>
          ))}
        </div>
        {hasFailed && (
          <LoadFailure title={t`Recommendations could not be loaded`} onRetry={() => void query.refetch()} />
        )}
        {query.isSuccess && !isPending && videos.length === 0 && (
          <p className={styles['none']}>{t`No recommendations available`}</p>
        )}
      </section>
      {showsOthers ? (
        <Suspense>
          <MoreToWatch
            videoId={videoId}
            shownIds={[...found.slice(0, shown), ...(upNext ? [upNext] : [])].map(({ _id }) => _id)}
            isSignedIn={isSignedIn}
          />
        </Suspense>
      ) : (
        <Button
          className={styles['more']}
          onClick={() => (others.length > shown ? setShown(shown + STEP) : setShowsOthers(true))}
        >{t`More to watch`}</Button>
      )}
    </>
  )
})

const reasonOfFound = () => t`Shares words with the title of this video`

/** The video that follows, with the switch that opens it at the end of this one. */
function UpNext({
  video,
  isFound,
  dismissals,
  action,
}: {
  /** Undefined until known. */
  video: Video | undefined
  /** Whether the search for the title found it. */
  isFound: boolean
  dismissals: Dismissals
  action: ReactNode
}) {
  return (
    <div className={styles['next']}>
      <div className={styles['head']}>
        <h2>{t`Up next`}</h2>
        {action}
      </div>
      <div className={styles['list']}>
        {video ? (
          <ErrorBoundary key={video._id} fallback={t`This video cannot be displayed.`}>
            <RecommendedCard
              video={video}
              reason={isFound ? reasonOfFound() : undefined}
              dismissals={dismissals}
            />
          </ErrorBoundary>
        ) : (
          <RecommendationsSkeleton count={1} />
        )}
      </div>
    </div>
  )
}

/** The list before it is there, in the same geometry. */
export function RecommendationsSkeleton({ count = 8 }: { count?: number }) {
  return Array.from({ length: count }, (_, index) => (
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
