import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link, useOutlet } from 'react-router'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { dashboardQuery, olderVideosQuery } from '../../features/videos/studio/dashboard/api.ts'
import { OwnVideos, OwnVideosSkeleton } from '../../features/videos/studio/dashboard/own-videos.tsx'
import { Totals } from '../../features/videos/studio/dashboard/totals.tsx'
import { CreateButton } from '../../features/videos/uploads/tray/create-button.tsx'
import { useFocusAfterDeletion } from '../../features/videos/studio/dashboard/use-focus-after-deletion.ts'
import { useProcessingEvents } from '../../features/videos/studio/dashboard/use-processing-events.ts'
import { ViewsChart, ViewsChartSkeleton } from '../../features/videos/studio/dashboard/views-chart.tsx'
import { hasLongWord } from '../../lib/format/long-word.ts'
import { overPage } from '../../lib/browser/use-close-modal.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { paths } from '../../paths.ts'
import { Alert } from '../../ui/feedback/alert.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { LoadMore } from '../../ui/feedback/load-more.tsx'
import styles from './dashboard-page.module.css'
import type { DashboardContext } from './use-dashboard-modal.ts'

/** Statistics and videos of the signed-in user. The upload, edit and delete dialogs open over it. */
export function DashboardPage() {
  const { authData } = useAuth()
  const { data, isPending, isError, refetch } = useQuery(dashboardQuery)
  useProcessingEvents()
  const [failure, setFailure] = useState<string>()
  const list = useRef<HTMLElement>(null)
  const cursor = data?.nextCursor ?? null
  const older = useInfiniteQuery(olderVideosQuery(authData?.username ?? '', cursor))
  const context: DashboardContext = { username: authData?.username ?? '', onFailure: setFailure }
  const modal = useOutlet(context)
  const videos = [
    ...(data?.userVideos ?? []),
    ...(older.data?.pages.flatMap((page) => page.userVideos) ?? []),
  ]
  useFocusAfterDeletion(list, videos)
  const hasMore = cursor !== null && (older.data === undefined || older.hasNextPage)
  if (!authData) return null
  const { username, fullname } = authData
  return (
    <>
      <PageTitle title={t`Dashboard`} />
      <div className={styles['greeting']}>
        <h2 data-long={hasLongWord(fullname) || undefined}>{t`Welcome back, ${fullname}`}</h2>
        <Link className={styles['studio']} to={paths.studio()}>{t`Studio`}</Link>
        <Link
          className={buttonClass('solid')}
          to={paths.upload(username)}
          state={overPage}
          preventScrollReset
        >
          <Icon of={Upload} />
          {t`Upload video`}
        </Link>
      </div>
      {isError && !data && (
        <LoadFailure title={t`Could not load the dashboard`} onRetry={() => void refetch()} />
      )}
      {(data ?? isPending) && (
        <Totals
          views={data?.totalViews}
          subscribers={data?.totalSubs}
          likes={data?.totalLikes}
          isPending={isPending}
        >
          {!data && <ViewsChartSkeleton />}
          {data && data.userVideos.length > 0 && <ViewsChart days={data.viewsByDay} />}
        </Totals>
      )}
      <section ref={list} className={styles['videos']} aria-label={t`Your videos`} tabIndex={-1}>
        {(data ? videos.length > 0 : isPending) && (
          <h2>
            <Trans>
              Your videos{' '}
              <small>
                {data && videos.length}
                {hasMore && '+'}
              </small>
            </Trans>
          </h2>
        )}
        {failure && !modal && <Notice text={failure} />}
        {isPending && <OwnVideosSkeleton />}
        {data?.userVideos.length === 0 && (
          <EmptyState
            title={t`Nothing published yet`}
            text={t`Your videos appear here with their views and likes.`}
          >
            <CreateButton label={t`Choose a video`} />
          </EmptyState>
        )}
        {videos.length > 0 && <OwnVideos videos={videos} username={username} />}
        <LoadMore
          query={{
            hasNextPage: hasMore,
            isFetchingNextPage: older.isFetching,
            isFetchNextPageError: older.isError,
            fetchNextPage: older.data ? older.fetchNextPage : older.refetch,
          }}
        />
      </section>
      {modal}
    </>
  )
}

/** Failure of a dialog, scrolled into view because the list may be below the fold. */
function Notice({ text }: { text: string }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    ref.current?.scrollIntoView({ block: 'center' })
  }, [])
  return (
    <div ref={ref}>
      <Alert>{text}</Alert>
    </div>
  )
}
