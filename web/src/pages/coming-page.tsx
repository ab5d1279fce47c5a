import { t } from '@lingui/core/macro'
import { comingCalendarPath } from '@kinora/contract/constants.ts'
import type { ComingVideo } from '@kinora/contract/live/coming.ts'
import { useQuery } from '@tanstack/react-query'
import { CalendarDays } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { useAuth } from '../features/accounts/sessions/use-auth.ts'
import { comingQuery } from '../features/live/coming/api.ts'
import { ComingCards } from '../features/live/coming/coming-cards.tsx'
import { BrowseLinks } from '../features/videos/videos/browse/browse-links.tsx'
import { VideoGridSkeleton } from '../features/videos/videos/cards/video-grid.tsx'
import { settings } from '../lib/settings.ts'
import { paths } from '../paths.ts'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { Part } from '../ui/part.tsx'
import { QuerySection } from '../ui/query-section.tsx'
import browse from './browse-page.module.css'
import styles from './coming-page.module.css'

/** Live streams and premieres that run, and those that were announced. */
export function ComingPage() {
  const { authStatus } = useAuth()
  const [search] = useSearchParams()
  const isSubscribed = search.get('from') === 'subscriptions' && authStatus === true
  const query = useQuery(comingQuery(isSubscribed ? { subscribed: 'true' } : {}))
  return (
    <>
      {settings.live && <BrowseLinks />}
      <PageTitle title={t`Live and upcoming`} />
      <div className={browse['head']}>
        <h1>{t`Live and upcoming`}</h1>
        <a className={buttonClass('quiet')} href={comingCalendarPath} type="text/calendar">
          <Icon of={CalendarDays} />
          {t`Calendar`}
        </a>
      </div>
      {authStatus === true && (
        <nav className={styles['choices']} aria-label={t`Channels`}>
          <Link to={paths.live()} aria-current={isSubscribed ? undefined : 'page'}>{t`All channels`}</Link>
          <Link to={`${paths.live()}?from=subscriptions`} aria-current={isSubscribed ? 'page' : undefined}>
            {t`Subscriptions`}
          </Link>
        </nav>
      )}
      <QuerySection
        query={query}
        failure={t`Could not load upcoming streams`}
        skeleton={<VideoGridSkeleton count={4} />}
        empty={
          <EmptyState
            title={t`Nothing is live or announced`}
            text={
              isSubscribed
                ? t`Live streams and premieres of the channels that you follow appear here.`
                : t`Live streams and premieres appear here once somebody announces them.`
            }
          />
        }
      >
        {(videos) => (
          <div className={styles['parts']}>
            <Videos title={t`Now`} videos={videos.filter(({ isNow }) => isNow)} />
            <Videos title={t`Upcoming`} videos={videos.filter(({ isNow }) => !isNow)} />
          </div>
        )}
      </QuerySection>
    </>
  )
}

function Videos({ title, videos }: { title: string; videos: readonly ComingVideo[] }) {
  if (videos.length === 0) return null
  return (
    <Part title={title}>
      <ComingCards videos={videos} heading="h3" />
    </Part>
  )
}
