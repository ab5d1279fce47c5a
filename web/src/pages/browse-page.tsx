import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { normalizeTag } from '@kinora/contract/characters.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { browseQuery, popularVideosQuery } from '../features/videos/videos/browse/api.ts'
import { BrowseLinks } from '../features/videos/videos/browse/browse-links.tsx'
import { categoryLabels } from '../lib/category-labels.ts'
import { categoryNamed } from '../lib/metadata-choices.ts'
import { VideoGrid, VideoGridSkeleton } from '../features/videos/videos/cards/video-grid.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { itemsOf } from '../lib/list-pages.ts'
import { paths } from '../paths.ts'
import { buttonClass } from '../ui/button.tsx'
import { FeedMenu } from '../ui/feed-link.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { LoadFailure } from '../ui/feedback/load-failure.tsx'
import { PagedList } from '../ui/paged-list.tsx'
import { ErrorPage } from './error-page.tsx'
import styles from './browse-page.module.css'

// in the same script: a page of its own would cost the home page an address more
export { ComingPage as LivePage } from './coming-page.tsx'

/** Videos with the tag in the URL. */
export function TagPage() {
  const tag = normalizeTag(useParams()['tag'] ?? '')
  if (tag === '') return <ErrorPage />
  return <Browse key={tag} path={paths.tag(tag)} title={`#${tag}`} filter={{ tag }} />
}

/** Videos of the category in the URL. */
export function CategoryPage() {
  const category = categoryNamed(useParams()['category'])
  if (!category) return <ErrorPage />
  return (
    <Browse
      key={category}
      path={paths.category(category)}
      title={i18n._(categoryLabels[category])}
      filter={{ category }}
    />
  )
}

/** The most watched of the newest videos. */
export function PopularPage() {
  const { data: videos, isError, refetch } = useQuery(popularVideosQuery)
  return (
    <>
      <BrowseLinks />
      <PageTitle title={t`Popular`} />
      <div className={styles['head']}>
        <h1>{t`Popular`}</h1>
      </div>
      {!videos && !isError && <VideoGridSkeleton />}
      {!videos && isError && (
        <LoadFailure title={t`Could not load the videos`} onRetry={() => void refetch()} />
      )}
      {videos?.length === 0 && <EmptyState title={t`No videos yet`} />}
      {videos && videos.length > 0 && <VideoGrid videos={videos} />}
    </>
  )
}

interface BrowseProps {
  path: string
  title: string
  filter: Parameters<typeof browseQuery>[0]
}

function Browse({ path, title, filter }: BrowseProps) {
  const query = useInfiniteQuery(browseQuery(filter))
  const videos = itemsOf(query.data)
  return (
    <>
      {'category' in filter && <BrowseLinks />}
      <PageTitle title={title} />
      <div className={styles['head']}>
        <h1>
          <bdi>{title}</bdi>
        </h1>
        <FeedMenu path={paths.browseFeed(path)} />
      </div>
      <PagedList
        query={query}
        items={videos}
        failure={t`Could not load the videos`}
        skeleton={<VideoGridSkeleton />}
        empty={
          <EmptyState title={t`No videos here`} text={t`No video with this label is public.`}>
            <Link className={buttonClass('quiet')} to={paths.home()}>{t`Newest videos`}</Link>
          </EmptyState>
        }
      >
        {(found) => <VideoGrid videos={found} isComplete={false} />}
      </PagedList>
    </>
  )
}
