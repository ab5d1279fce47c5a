import { t } from '@lingui/core/macro'
import type { Recommendation } from '@kinora/contract/watching/recommendations.ts'
import { spreadChannels } from '@kinora/contract/watching/spread-channels.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { ErrorBoundary } from '../../../../ui/feedback/error-boundary.tsx'
import { LoadFailure } from '../../../../ui/feedback/load-failure.tsx'
import { recommendationsQuery } from './api.ts'
import { RecommendedCard } from './recommended-card.tsx'
import styles from './recommendations.module.css'
import { useDismissals } from './use-dismissals.ts'

/**
 * Videos of the channel, with shared tags, and popular ones, without those in `shownIds`. Takes the focus of the button that
 * showed them.
 */
export function MoreToWatch({
  videoId,
  shownIds,
  isSignedIn,
}: {
  videoId: string
  shownIds: readonly string[]
  isSignedIn: boolean
}) {
  const { data, isError, refetch } = useQuery(recommendationsQuery(videoId))
  const dismissals = useDismissals(isSignedIn)
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    section.current?.focus({ preventScroll: true })
  }, [])
  if (isError && !data)
    return <LoadFailure title={t`Could not load more videos`} onRetry={() => void refetch()} />
  if (!data) return <p role="status">{t`Loading…`}</p>
  const left = data.filter(({ video }) => !shownIds.includes(video._id) && dismissals.shows(video))
  const shown = spreadChannels(left, ({ video }) => video.videoOwner._id)
  return (
    <section ref={section} className={styles['more-list']} aria-label={t`More to watch`} tabIndex={-1}>
      {shown.length === 0 && <p className={styles['none']}>{t`Nothing else yet`}</p>}
      <div className={styles['list']}>
        {shown.map((each) => (
          <ErrorBoundary key={each.video._id} fallback={t`This video cannot be displayed.`}>
            <RecommendedCard video={each.video} reason={reasonOf(each)} dismissals={dismissals} />
          </ErrorBoundary>
        ))}
      </div>
    </section>
  )
}

function reasonOf({ video, reason }: Recommendation): string {
  switch (reason.kind) {
    case 'channel':
      return t`More from ${video.videoOwner.fullname}`
    case 'tag':
      return t`Also tagged #${reason.tag ?? ''}`
    case 'popular':
      return t`Popular on this site`
  }
}
