import { call } from '@kinora/contract/client.ts'
import {
  getHistoryState,
  getWatchHistory,
  listHistory,
  updateHistory,
} from '@kinora/contract/watching/history.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { firstPage, pageQuery } from '../../../lib/list-pages.ts'
import { historyKeys } from '../../../lib/watch-keys.ts'

/** Watch history. Not cached, because watching changes it on any device. */
export const watchHistoryQuery = queryOptions({
  queryKey: historyKeys.recent,
  queryFn: async ({ signal }) => (await call(getWatchHistory, { signal })).watchHistory ?? [],
  gcTime: 0,
})

/** The complete history, page by page; with `text` only what has these words. */
export function historyQuery(filter: { text?: string; unfinished?: 'true'; limit?: number }) {
  return infiniteQueryOptions({
    queryKey: historyKeys.complete(filter),
    queryFn: ({ pageParam, signal }) =>
      call(listHistory, { query: { limit: 60, ...filter, ...pageQuery(pageParam) }, signal }),
    initialPageParam: firstPage,
    getNextPageParam: (page) => page.nextCursor,
    gcTime: 0,
  })
}

export const historyStateQuery = queryOptions({
  queryKey: historyKeys.state,
  queryFn: ({ signal }) => call(getHistoryState, { signal }),
})

export function recordWatched(videoId: string): Promise<null> {
  return call(updateHistory, { params: { videoId } })
}
