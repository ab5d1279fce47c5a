import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { watchHistoryQuery } from '../../features/watching/history/api.ts'
import { VideoRows, VideoRowsSkeleton } from '../../features/videos/videos/cards/video-grid.tsx'
import { Link } from 'react-router'
import { PageTitle } from '../../ui/page-title.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { paths } from '../../paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import styles from './channel-page.module.css'

/** Fixed by the specification; the server stores more. */
const SHOWN_VIDEOS = 10

/** Watch history of the signed-in user, latest first. */
export function HistoryPage() {
  const { data, isPending, isError, refetch } = useQuery(watchHistoryQuery)
  const videos = data?.slice(0, SHOWN_VIDEOS) ?? []
  return (
    <section className={styles['tab']} aria-labelledby="history">
      <PageTitle title={t`History`} />
      {(isPending || videos.length > 0) && (
        <div className={styles['head']}>
          <h2 className={styles['heading']} id="history">{t`Last watched`}</h2>
          <Link className={buttonClass('quiet')} to={paths.completeHistory()}>{t`Everything watched`}</Link>
        </div>
      )}
      {isPending && <VideoRowsSkeleton />}
      {isError && !data && (
        <LoadFailure title={t`Could not load your history`} onRetry={() => void refetch()} />
      )}
      {data && videos.length === 0 && (
        <EmptyState
          title={t`Nothing watched yet`}
          text={t`The last ten videos you watched appear here. Only you can see them.`}
        />
      )}
      {videos.length > 0 && <VideoRows videos={videos} />}
    </section>
  )
}
