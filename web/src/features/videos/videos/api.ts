import { call } from '@kinora/contract/client.ts'
import {
  listDismissed,
  listDismissedVideos,
  listRecommendations,
} from '@kinora/contract/watching/recommendations.ts'
import { searchVideos, type SearchFilters } from '@kinora/contract/watching/search.ts'
import { browseVideos, getVideo, listVideos, recordView } from '@kinora/contract/videos/videos.ts'
import type { Category } from '@kinora/contract/videos/video-metadata.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { firstPage, pageQuery } from '../../../lib/list-pages.ts'
import { asPathStep } from '../../../paths.ts'
import { recommendationKeys, videoKeys } from '../../../lib/query-keys.ts'

/** All videos, newest first, page by page. Invalidate `videoKeys.lists` after publishing or deleting. */
export const allVideosQuery = infiniteQueryOptions({
  queryKey: videoKeys.allVideos,
  queryFn: ({ pageParam, signal }) => call(listVideos, { query: pageQuery(pageParam), signal }),
  initialPageParam: firstPage,
  getNextPageParam: (page) => page.nextCursor,
})

/** One video; refetched on every visit, so that nothing of an earlier one shows. */
export function videoQuery(videoId: string) {
  return queryOptions({
    queryKey: videoKeys.video(videoId),
    queryFn: async ({ signal }) => {
      const [video] = await call(getVideo, { params: { id: videoId }, signal })
      if (!video?._id) throw new Error('The response contains no video')
      return video
    },
    staleTime: Infinity,
    gcTime: 0,
  })
}

/** Counts a view. */
export function recordVideoView(videoId: string): Promise<null> {
  return call(recordView, { params: { id: videoId } })
}

/** Search results page by page, most relevant first unless `filters` say otherwise. */
export function searchQuery(term: string, filters: SearchFilters = {}) {
  return infiniteQueryOptions({
    queryKey: videoKeys.search(term, filters),
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
    queryKey: videoKeys.browse(filter),
    queryFn: ({ pageParam, signal }) =>
      call(browseVideos, { query: { ...pageQuery(pageParam), ...filter }, signal }),
    initialPageParam: firstPage,
    getNextPageParam: (page) => page.nextCursor,
  })
}

/** A handful of the newest videos, for the stills of the login and error screens. */
export const newestVideosQuery = queryOptions({
  queryKey: videoKeys.newest,
  queryFn: ({ signal }) => call(listVideos, { query: { limit: 5 }, signal }),
  staleTime: 60_000,
})

/** Videos beyond those that share words with a title, each with its reason. */
export function recommendationsQuery(videoId: string) {
  return queryOptions({
    queryKey: recommendationKeys.ofVideo(videoId),
    queryFn: ({ signal }) => call(listRecommendations, { params: { videoId }, signal }),
    staleTime: 60_000,
  })
}

/** The dismissed videos with their metadata, latest first. */
export const dismissedVideosQuery = queryOptions({
  queryKey: recommendationKeys.dismissedVideos,
  queryFn: ({ signal }) => call(listDismissedVideos, { signal }),
})

/** Videos and channels that the signed-in viewer does not want to be recommended. */
export const dismissedQuery = queryOptions({
  queryKey: recommendationKeys.dismissed,
  queryFn: ({ signal }) => call(listDismissed, { signal }),
  staleTime: 60_000,
})
