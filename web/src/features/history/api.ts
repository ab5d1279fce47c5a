import { call } from '@kinora/contract/client.ts'
import { getWatchHistory, updateHistory } from '@kinora/contract/history.ts'
import { queryOptions } from '@tanstack/react-query'

/** Watch history. Not cached, because watching changes it on any device. */
export const watchHistoryQuery = queryOptions({
  queryKey: ['history'],
  queryFn: async ({ signal }) => (await call(getWatchHistory, { signal })).watchHistory ?? [],
  gcTime: 0,
})

export function recordWatched(videoId: string): Promise<null> {
  return call(updateHistory, { params: { videoId } })
}
