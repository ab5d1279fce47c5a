import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lockedVideosQuery } from '../features/videos/share-links/api.ts'
import { LockedCards } from '../features/videos/share-links/locked-cards.tsx'
import { BrowseLinks } from '../features/videos/videos/browse/browse-links.tsx'
import { VideoGridSkeleton } from '../features/videos/videos/cards/video-grid.tsx'
import { itemsOf } from '../lib/list-pages.ts'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { PagedList } from '../ui/paged-list.tsx'
import styles from './browse-page.module.css'

/** Videos that open with a password, newest first. */
export function LockedPage() {
  const query = useInfiniteQuery(lockedVideosQuery())
  return (
    <>
      <BrowseLinks />
      <PageTitle title={t`With a password`} />
      <div className={styles['head']}>
        <h1>{t`With a password`}</h1>
      </div>
      <PagedList
        query={query}
        items={itemsOf(query.data)}
        failure={t`Could not load the videos`}
        skeleton={<VideoGridSkeleton count={8} />}
        empty={<EmptyState title={t`No videos yet`} />}
      >
        {(videos) => <LockedCards videos={videos} />}
      </PagedList>
    </>
  )
}
