import { t } from '@lingui/core/macro'
import { ApiError } from '@kinora/contract/client.ts'
import type { AnalyticsPeriod } from '@kinora/contract/videos/analytics.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useParams, useSearchParams } from 'react-router'
import { channelAnalyticsQuery, csvUrl, videoAnalyticsQuery } from '../../features/videos/analytics/api.ts'
import { NumberTiles } from '../../features/videos/analytics/number-tiles.tsx'
import { periodNamed } from '../../features/videos/analytics/periods.ts'
import { Report } from '../../features/videos/analytics/report.tsx'
import { Toolbar } from '../../features/videos/analytics/toolbar.tsx'
import { TopVideos } from '../../features/videos/analytics/top-videos.tsx'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { paths } from '../../paths.ts'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import styles from './studio-page.module.css'

/** How the videos of the signed-in user were watched. */
export function ChannelAnalyticsPage() {
  return (
    <MembersOnly skeleton={null}>
      <PageTitle title={t`Analytics · Studio`} />
      <ChannelAnalytics />
    </MembersOnly>
  )
}

/** How one video was watched. */
export function VideoAnalyticsPage() {
  const { videoId = '' } = useParams()
  return (
    <MembersOnly skeleton={null}>
      <VideoAnalytics key={videoId} id={videoId} />
    </MembersOnly>
  )
}

function ChannelAnalytics() {
  const [period, setPeriod] = usePeriod()
  const { data, isError, refetch } = useQuery(channelAnalyticsQuery(period))
  return (
    <section aria-labelledby="analytics">
      <Link className={styles['back']} to={paths.studio()}>{t`All videos`}</Link>
      <h1 className={styles['heading']} id="analytics">{t`Analytics`}</h1>
      <Toolbar period={period} onPeriod={setPeriod} csvHref={csvUrl(undefined, period)} />
      {data && <Report analytics={data} />}
      {data && data.videos.length > 0 && <TopVideos videos={data.videos} />}
      {!data && <Loading isError={isError} onRetry={() => void refetch()} />}
    </section>
  )
}

function VideoAnalytics({ id }: { id: string }) {
  const [period, setPeriod] = usePeriod()
  const { data, error, refetch } = useQuery(videoAnalyticsQuery(id, period))
  if (error instanceof ApiError && error.status === 404) return <Navigate to={paths.notFound()} replace />
  return (
    <section aria-labelledby="analytics">
      <PageTitle title={data ? t`${data.title} · Analytics` : t`Analytics · Studio`} />
      <Link className={styles['back']} to={paths.analytics()}>{t`Analytics of all videos`}</Link>
      <h1 className={styles['heading']} id="analytics">
        {data ? <bdi>{data.title}</bdi> : t`Analytics`}
      </h1>
      <p className={styles['links']}>
        <Link to={paths.studioVideo(id)}>{t`Edit`}</Link>
        <Link to={paths.watch(id)}>{t`Watch page`}</Link>
      </p>
      <Toolbar period={period} onPeriod={setPeriod} csvHref={csvUrl(id, period)} />
      {data && <Report analytics={data} durationSeconds={data.durationSeconds} />}
      {!data && <Loading isError={error !== null} onRetry={() => void refetch()} />}
    </section>
  )
}

const tiles = () => [{ label: t`Views` }, { label: t`Watch time` }, { label: t`Watched on average` }]

function Loading({ isError, onRetry }: { isError: boolean; onRetry: () => void }) {
  if (isError) return <LoadFailure title={t`Could not load the analytics`} onRetry={onRetry} />
  return (
    <div aria-busy="true">
      <NumberTiles numbers={tiles()} />
      <Skeleton className={styles['chart-skeleton']} height={260} />
    </div>
  )
}

/** The period, stored in the URL. */
function usePeriod(): [AnalyticsPeriod, (period: AnalyticsPeriod) => void] {
  const [params, setParams] = useSearchParams()
  const setPeriod = (period: AnalyticsPeriod) =>
    setParams(period === '28' ? {} : { period }, { replace: true, preventScrollReset: true })
  return [periodNamed(params.get('period')), setPeriod]
}
