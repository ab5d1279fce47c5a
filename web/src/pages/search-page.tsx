import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, Navigate, useLocation } from 'react-router'
import { searchQuery } from '../features/videos/api.ts'
import { VideoRows, VideoRowsSkeleton } from '../features/videos/cards/video-grid.tsx'
import { itemsOf } from '../lib/list-pages.ts'
import { useDocumentTitle } from '../lib/browser/use-document-title.ts'
import { paths, searchTermOf } from '../paths.ts'
import { LoadFailure } from '../ui/feedback/load-failure.tsx'
import { LoadMore } from '../ui/feedback/load-more.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { VisuallyHidden } from '../ui/text/visually-hidden.tsx'
import { ErrorPage } from './error-page.tsx'
import styles from './search-page.module.css'

/** Results for the term in the URL. Redirects to the home page without a term. */
export function SearchPage() {
  const term = searchTermOf(useLocation().pathname)
  if (term === undefined) return <ErrorPage />
  if (term === '') return <Navigate to={paths.home()} replace />
  return <Results term={term} />
}

/** Results of one term. The query is keyed by the term, so a late response cannot replace a newer one. */
function Results({ term }: { term: string }) {
  useDocumentTitle(`${term} · Search`)
  const query = useInfiniteQuery(searchQuery(term))
  const videos = itemsOf(query.data)
  return (
    <>
      {query.isPending && (
        <h1 className={styles['heading']}>
          <VisuallyHidden>Search</VisuallyHidden>
          <Skeleton width="min(24rem, 70%)" height="1.1em" />
        </h1>
      )}
      {query.isError && videos.length === 0 && (
        <>
          <VisuallyHidden as="h1">Search</VisuallyHidden>
          <LoadFailure title="Search failed" onRetry={() => void query.refetch()} />
        </>
      )}
      {query.data && (
        <h1 className={styles['heading']}>
          {videos.length > 0 ? 'Results' : 'No results'} found for <bdi>'{term}'</bdi>
        </h1>
      )}
      {query.isSuccess && videos.length === 0 && (
        <p className={styles['hint']}>
          Try fewer or different words, or see the <Link to={paths.home()}>newest videos</Link>.
        </p>
      )}
      <div className={styles['results']}>
        {query.isPending && <VideoRowsSkeleton />}
        {videos.length > 0 && <VideoRows videos={videos} />}
      </div>
      <LoadMore
        hasMore={query.hasNextPage}
        isLoading={query.isFetchingNextPage}
        hasFailed={query.isFetchNextPageError}
        onMore={query.fetchNextPage}
      />
    </>
  )
}
