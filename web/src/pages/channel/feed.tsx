import { t } from '@lingui/core/macro'
import { type FeedEntry, putFeedVisit } from '@kinora/contract/watching/subscriptions.ts'
import { call } from '@kinora/contract/client.ts'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { feedQuery, feedVisitQuery } from '../../features/watching/subscriptions/api.ts'
import { VideoCard } from '../../features/videos/videos/cards/video-card.tsx'
import { VideoRowsSkeleton } from '../../features/videos/videos/cards/video-grid.tsx'
import { FeedAddress } from '../../features/watching/subscriptions/feed-address.tsx'
import { GroupBar } from '../../features/watching/subscriptions/groups/group-bar.tsx'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorBoundary } from '../../ui/feedback/error-boundary.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import styles from './feed.module.css'
import { SuggestedChannels } from './suggested-channels.tsx'

/** New videos of the channels that the signed-in person follows; a dot marks those since the last visit that are not watched. */
export function Feed() {
  const { authData } = useAuth()
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const groupId = search.get('group') ?? undefined
  const query = useInfiniteQuery(feedQuery(groupId))
  const entries = query.data?.pages.flatMap(({ items }) => items) ?? []
  const seenAt = useFeedVisit(query.isSuccess && groupId === undefined)
  const isNew = ({ video, isWatched }: FeedEntry) =>
    seenAt !== undefined && !isWatched && video.createdAt > (seenAt ?? '')
  return (
    <section className={styles['feed']} aria-label={t`New videos`}>
      <h2 className={styles['title']}>{t`New videos`}</h2>
      <p>
        <Link to={`${paths.live()}?from=subscriptions`}>{t`Live and upcoming`}</Link>
      </p>
      <FeedAddress />
      {authData && (
        <GroupBar
          groupId={groupId}
          username={authData.username}
          onSaved={(group) =>
            void navigate(paths.subscribedTo(authData.username, group?._id), { replace: true })
          }
        />
      )}
      <PagedList
        query={query}
        items={entries}
        failure={t`Could not load your feed`}
        skeleton={<VideoRowsSkeleton />}
        empty={
          <>
            <EmptyState
              title={t`Nothing new yet`}
              text={
                groupId === undefined
                  ? t`Subscribe to channels, and their videos appear here.`
                  : t`Videos of the channels in this group appear here.`
              }
            />
            {authData?.subscribedToCount === 0 && <SuggestedChannels />}
          </>
        }
      >
        {() => (
          <div className={styles['entries']}>
            {entries.map((entry) => (
              <div key={entry.video._id}>
                <ErrorBoundary fallback={t`This video cannot be displayed.`}>
                  <VideoCard video={entry.video} heading="h3" />
                </ErrorBoundary>
                {isNew(entry) && <p className={styles['new']}>{t`New since your last visit`}</p>}
              </div>
            ))}
          </div>
        )}
      </PagedList>
    </section>
  )
}

/** When the feed was seen before this visit, null if never, undefined while unknown. Notes the visit once it is loaded. */
function useFeedVisit(isLoaded: boolean): string | null | undefined {
  const client = useQueryClient()
  const { data: visit } = useQuery(feedVisitQuery)
  const [seenAt, setSeenAt] = useState<string | null>()
  if (visit && seenAt === undefined) setSeenAt(visit.seenAt)
  const isDue = isLoaded && seenAt !== undefined
  useEffect(() => {
    if (!isDue) return
    call(putFeedVisit, {}).then(
      (now) => client.setQueryData(feedVisitQuery.queryKey, now),
      (error: unknown) => console.warn('The visit of the feed was not saved', error),
    )
  }, [client, isDue])
  return seenAt
}
