import { call } from '@kinora/contract/client.ts'
import { searchVideos, type SearchFilters } from '@kinora/contract/watching/search.ts'
import { browseVideos, listCategories, listPopularVideos } from '@kinora/contract/videos/videos.ts'
import type { Category } from '@kinora/contract/videos/video-metadata.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { firstPage, pageQuery } from '../../../../lib/list-pages.ts'
import { asPathStep } from '../../../../paths.ts'
import { browseKeys } from '../../../../lib/query-keys.ts'

/** The most watched of the newest videos. */
export const popularVideosQuery = queryOptions({
  queryKey: browseKeys.popular,
  queryFn: ({ signal }) => call(listPopularVideos, { signal }),
})

/** The categories that have videos. */
export const categoriesQuery = queryOptions({
  queryKey: browseKeys.categories,
  queryFn: ({ signal }) => call(listCategories, { signal }),
  staleTime: 60_000,
})

/** Search results page by page, most relevant first unless `filters` say otherwise. */
export function searchQuery(term: string, filters: SearchFilters = {}) {
  return infiniteQueryOptions({
    queryKey: browseKeys.search(term, filters),
    queryFn: ({ pageParam, signal }) =>
      call(searchVideos, {
        params: { term: asPathStep(term) },
        query: { ...pageQuery(pageParam), ...filters },
        signal,
      }),
    initialPageParam: firstPage,
    getNextPageParam: (page) => page.nextCursor,
  })
}

/** Videos with a tag or of a category, newest first, page by page. */
export function browseQuery(filter: { tag: string } | { category: Category }) {
  return infiniteQueryOptions({
    queryKey: browseKeys.browse(filter),
    queryFn: ({ pageParam, signal }) =>
      call(browseVideos, { query: { ...pageQuery(pageParam), ...filter }, signal }),
    initialPageParam: firstPage,
    getNextPageParam: (page) => page.nextCursor,
  })
}
