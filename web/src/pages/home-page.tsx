import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'react-router'
import { useAuth } from '../features/accounts/sessions/use-auth.ts'
import { itemsOf } from '../lib/list-pages.ts'
import { CreateButton } from '../features/videos/uploads/tray/create-button.tsx'
import { allVideosQuery } from '../features/videos/videos/api.ts'
import { BrowseLinks } from '../features/videos/videos/browse/browse-links.tsx'
import { VideoGrid, VideoGridSkeleton } from '../features/videos/videos/cards/video-grid.tsx'
import { withMessages } from '../lib/i18n/messages.ts'
import { isKeptForHome } from '../lib/kept-for-home.ts'
import { settings } from '../lib/settings.ts'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { LoadFailure } from '../ui/feedback/load-failure.tsx'
import { LoadMore } from '../ui/feedback/load-more.tsx'
import { VisuallyHidden } from '../ui/text/visually-hidden.tsx'
import styles from './home-page.module.css'

const HomeNotice = lazy(async () => ({
  default: (await withMessages('pages', () => import('../features/accounts/sessions/home-notice.tsx')))
    .HomeNotice,
}))

const FirstSteps = lazy(async () => ({
  default: (await withMessages('pages', () => import('./first-steps.tsx'))).FirstSteps,
}))

/** All videos, newest first, loaded page by page on scrolling. */
export function HomePage() {
  const query = useInfiniteQuery(allVideosQuery)
  const state: unknown = useLocation().state
  const [isNoticeKept] = useState(isKeptForHome)
  const [wasLoaded] = useState(query.isSuccess)
  const videos = itemsOf(query.data)
  return (
    <>
      <VisuallyHidden as="h1">{t`All videos`}</VisuallyHidden>
      {(isNoticeKept || Boolean(state)) && (
        <Suspense>
          <HomeNotice state={state} />
        </Suspense>
      )}
      <div className={styles['browse']}>
        {(videos.length > 0 || (settings.live && query.isSuccess)) && <BrowseLinks />}
      </div>
      {query.isPending && <VideoGridSkeleton lead />}
      {query.isError && videos.length === 0 && (
        <LoadFailure title={t`Could not load the videos`} onRetry={() => void query.refetch()} />
      )}
      {query.isSuccess && videos.length === 0 && <NoVideos />}
      {videos.length > 0 && <VideoGrid videos={videos} isComplete={wasLoaded} lead />}
      <LoadMore query={query} />
    </>
  )
}

function NoVideos() {
  const { authData } = useAuth()
  return (
    <>
      <EmptyState title={t`No videos yet`} text={t`New videos appear here first.`}>
        {authData && <CreateButton label={t`Upload the first one`} />}
      </EmptyState>
      <Suspense>
        <FirstSteps />
      </Suspense>
    </>
  )
}
