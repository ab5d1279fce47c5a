import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Link, Navigate, useLocation, useSearchParams } from 'react-router'
import { momentsQuery, summaryQuery } from '../features/watching/search/api.ts'
import { FilterBar } from '../features/watching/search/filter-bar.tsx'
import { FoundChannels } from '../features/watching/search/found-channels.tsx'
import { MomentList } from '../features/watching/search/moment-list.tsx'
import { filtersOf, paramsOf } from '../features/watching/search/search-filters.ts'
import { searchQuery } from '../features/videos/videos/browse/api.ts'
import { VideoRows, VideoRowsSkeleton } from '../features/videos/videos/cards/video-grid.tsx'
import { itemsOf } from '../lib/list-pages.ts'
import { FeedMenu } from '../ui/feed-link.tsx'
import { PageTitle } from '../ui/page-title.tsx'
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

/** Whether a list beside that of videos can still come. A failed one is not waited for. */
const isFirstAttempt = ({ isLoading, failureCount }: UseQueryResult) => isLoading && failureCount === 0

/** Results of one term. The query is keyed by the term, so a late response cannot replace a newer one. */
function Results({ term }: { term: string }) {
  const [params, setParams] = useSearchParams()
  const filters = filtersOf(params)
  const query = useInfiniteQuery(searchQuery(term, filters))
  const videos = itemsOf(query.data)
  const summary = useQuery(summaryQuery(term, filters))
  const hasFilters = Object.keys(filters).length > 0
  const found = useQuery(momentsQuery(term))
  // Filters have no use for channels and moments.
  const channels = hasFilters ? [] : (summary.data?.channels ?? [])
  const moments = hasFilters ? [] : (found.data ?? [])
  const foundElsewhere = channels.length + moments.length
  const hasFound = videos.length > 0 || foundElsewhere > 0
  const isSearching =
    query.isPending || (query.isSuccess && !hasFound && !hasFilters && [summary, found].some(isFirstAttempt))
  // An apostrophe before a placeholder would quote it (ICU MessageFormat).
  const quoted = `'${term}'`
  return (
    <>
      <PageTitle title={t`${term} · Search`} />
      {isSearching && (
        <h1 className={styles['heading']}>
          <VisuallyHidden>{t`Search`}</VisuallyHidden>
          <Skeleton width="min(24rem, 70%)" height="1.1em" />
        </h1>
      )}
      {query.isError && videos.length === 0 && (
        <>
          <VisuallyHidden as="h1">{t`Search`}</VisuallyHidden>
          <LoadFailure title={t`Search failed`} onRetry={() => void query.refetch()} />
        </>
      )}
      {query.data && !isSearching && (
        <h1 className={styles['heading']}>
          {hasFound ? (
            <Trans>
              Results found for <bdi>{quoted}</bdi>
            </Trans>
          ) : (
            <Trans>
              No results found for <bdi>{quoted}</bdi>
            </Trans>
          )}
        </h1>
      )}
      {query.isSuccess && videos.length === 0 && foundElsewhere > 0 && (
        <p className={styles['hint']}>
          {t`No video has these words in its title or description. They were found here:`}
        </p>
      )}
      {(hasFilters || hasFound) && (
        <FilterBar
          total={query.data && (videos.length > 0 ? summary.data?.total : foundElsewhere || undefined)}
          filters={filters}
          onChange={(changed) => setParams(paramsOf(changed), { preventScrollReset: true })}
        >
          <FeedMenu path={paths.searchFeed(term, paramsOf(filters))} />
        </FilterBar>
      )}
      {channels.length > 0 && <FoundChannels channels={channels} />}
      {moments.length > 0 && <MomentList moments={moments} />}
      {query.isSuccess && !isSearching && !hasFound && (
        <p className={styles['hint']}>
          {hasFilters ? (
            <Trans>
              Try fewer filters, or fewer or different words, or see the{' '}
              <Link to={paths.home()}>newest videos</Link>.
            </Trans>
          ) : (
            <Trans>
              Try fewer or different words, or see the <Link to={paths.home()}>newest videos</Link>.
            </Trans>
          )}
        </p>
      )}
      <div className={styles['results']}>
        {query.isPending && <VideoRowsSkeleton />}
        {videos.length > 0 && <VideoRows videos={videos} />}
      </div>
      <LoadMore query={query} />
    </>
  )
}
