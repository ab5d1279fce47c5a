import { call } from '@kinora/contract/client.ts'
import { listVideos } from '@kinora/contract/videos/videos.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { firstPage, pageQuery } from '../../../lib/list-pages.ts'
import { videoKeys } from '../../../lib/query-keys.ts'

/** All videos, newest first, page by page. Invalidate `videoKeys.lists` after publishing or deleting. */
export const allVideosQuery = infiniteQueryOptions({
  queryKey: videoKeys.allVideos,
  queryFn: ({ pageParam, signal }) => call(listVideos, { query: pageQuery(pageParam), signal }),
  initialPageParam: firstPage,
  getNextPageParam: (page) => page.nextCursor,
})

/** A handful of the newest videos, for the stills of the login and error screens. */
export const newestVideosQuery = queryOptions({
  queryKey: videoKeys.newest,
  queryFn: ({ signal }) => call(listVideos, { query: { limit: 5 }, signal }),
  staleTime: 60_000,
})
