import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link, Outlet, useLocation } from 'react-router'
import { useAuth } from '../features/auth/use-auth.ts'
import { dashboardQuery, olderVideosQuery } from '../features/dashboard/api.ts'
import { OwnVideos, OwnVideosSkeleton } from '../features/dashboard/own-videos.tsx'
import { Totals } from '../features/dashboard/totals.tsx'
import { useProcessingEvents } from '../features/dashboard/use-processing-events.ts'
import { ViewsChart, ViewsChartSkeleton } from '../features/dashboard/views-chart.tsx'
import { paths } from '../paths.ts'
import { Alert } from '../ui/alert.tsx'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Icon } from '../ui/icon.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import styles from './dashboard-page.module.css'

/** How one's own videos are doing; the upload, change and delete modals stand over it. */
export function DashboardPage() {
  const { authData } = useAuth()
  const { data, isPending, isError, refetch } = useQuery(dashboardQuery)
  useProcessingEvents()
  const failure = noticeOf(useLocation().state)
  const cursor = data?.nextCursor ?? null
  const older = useInfiniteQuery(olderVideosQuery(authData?.username ?? '', cursor))
  if (!authData) return null
  const videos = [
    ...(data?.userVideos ?? []),
    ...(older.data?.pages.flatMap((page) => page.userVideos) ?? []),
  ]
  const hasMore = cursor !== null && (older.data === undefined || older.hasNextPage)
  const { username, fullname } = authData
  return (
    <>
      <div className={styles['greeting']}>
        <h2>Welcome back, {fullname}</h2>
        <Link className={buttonClass('accent')} to={paths.upload(username)} preventScrollReset>
          <Icon of={Upload} />
          Upload video
        </Link>
      </div>
      {isError && !data && (
        <LoadFailure title="The dashboard could not be loaded" onRetry={() => void refetch()} />
      )}
      {(data ?? isPending) && (
        <Totals
          views={data?.totalViews}
          subscribers={data?.totalSubs}
          likes={data?.totalLikes}
          isPending={isPending}
        >
          {data ? <ViewsChart days={data.viewsByDay} /> : <ViewsChartSkeleton />}
        </Totals>
      )}
      <section className={styles['videos']} aria-label="Your videos">
        {data?.userVideos.length !== 0 && (
          <h2>
            Your videos{' '}
            <small>
              {data && videos.length}
              {hasMore && '+'}
            </small>
          </h2>
        )}
        {failure && <Notice text={failure} />}
        {isPending && <OwnVideosSkeleton />}
        {data?.userVideos.length === 0 && (
          <EmptyState
            title="Nothing published yet"
            text="Your first video appears here, with its views and likes, as soon as it is uploaded."
          >
            <Link className={buttonClass('quiet')} to={paths.upload(username)} preventScrollReset>
              Choose a video
            </Link>
          </EmptyState>
        )}
        {videos.length > 0 && <OwnVideos videos={videos} username={username} />}
        <LoadMore
          hasMore={hasMore}
          isLoading={older.isFetching}
          hasFailed={older.isError}
          onMore={older.data ? older.fetchNextPage : older.refetch}
        />
      </section>
      <Outlet />
    </>
  )
}

/** Stands where the modal was about to act, which may be further down than what is seen. */
function Notice({ text }: { text: string }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => ref.current?.scrollIntoView({ block: 'center' }), [])
  return (
    <div ref={ref}>
      <Alert>{text}</Alert>
    </div>
  )
}

/** What a modal could not do, told by its way back. */
function noticeOf(state: unknown): string | undefined {
  return typeof state === 'object' &&
    state !== null &&
    'failure' in state &&
    typeof state.failure === 'string'
    ? state.failure
    : undefined
}
