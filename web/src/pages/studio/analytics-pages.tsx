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
import { useStudioChannel } from '../../features/videos/collaborators/use-studio-channel.ts'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { paths } from '../../paths.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { QuerySection } from '../../ui/query-section.tsx'
import { StudioFrame } from './studio-frame.tsx'
import styles from './studio-page.module.css'

/** How the videos of a channel were watched. */
export function ChannelAnalyticsPage() {
  return (
    <StudioFrame title={t`Analytics`}>
      <ChannelAnalytics />
    </StudioFrame>
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
  const { channel } = useStudioChannel()
  const [period, setPeriod] = usePeriod()
  const query = useQuery(channelAnalyticsQuery(period, channel))
  return (
    <section aria-label={t`Analytics`}>
      <Toolbar period={period} onPeriod={setPeriod} csvHref={csvUrl(undefined, period, channel)} />
      <QuerySection query={query} failure={t`Could not load the analytics`} skeleton={<Loading />}>
        {(data) => (
          <>
            <Report analytics={data} />
            {data.videos.length > 0 && <TopVideos videos={data.videos} />}
          </>
        )}
      </QuerySection>
    </section>
  )
}

function VideoAnalytics({ id }: { id: string }) {
  const [period, setPeriod] = usePeriod()
  const query = useQuery(videoAnalyticsQuery(id, period))
  const { data: video, error } = query
  if (error instanceof ApiError && error.status === 404) return <Navigate to={paths.notFound()} replace />
  return (
    <section aria-labelledby="analytics">
      <PageTitle title={video ? t`${video.title} · Analytics` : t`Analytics · Studio`} />
      <BackLink to={paths.analytics()}>{t`Analytics of all videos`}</BackLink>
      <h1 className={styles['heading']} id="analytics">
        {video ? <bdi>{video.title}</bdi> : t`Analytics`}
      </h1>
      <p className={styles['links']}>
        <Link to={paths.studioVideo(id)}>{t`Edit`}</Link>
        <Link to={paths.watch(id)}>{t`Watch page`}</Link>
      </p>
      <Toolbar period={period} onPeriod={setPeriod} csvHref={csvUrl(id, period)} />
      <QuerySection query={query} failure={t`Could not load the analytics`} skeleton={<Loading />}>
        {(data) => <Report analytics={data} durationSeconds={data.durationSeconds} />}
      </QuerySection>
    </section>
  )
}

const tiles = () => [{ label: t`Views` }, { label: t`Watch time` }, { label: t`Watched on average` }]

function Loading() {
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
  const channel = params.get('channel')
  const setPeriod = (period: AnalyticsPeriod) =>
    setParams(
      { ...(channel !== null && { channel }), ...(period !== '28' && { period }) },
      { replace: true, preventScrollReset: true },
    )
  return [periodNamed(params.get('period')), setPeriod]
}
