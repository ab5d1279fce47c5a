import { call } from '@kinora/contract/client.ts'
import { getWatchHistory, updateHistory } from '@kinora/contract/history.ts'
import { queryOptions } from '@tanstack/react-query'

/** What the caller watched last. Asked for anew each time, since watching changes it from anywhere. */
export const watchHistoryQuery = queryOptions({
  queryKey: ['history'],
  queryFn: async ({ signal }) => (await call(getWatchHistory, { signal })).watchHistory ?? [],
  gcTime: 0,
})

/** Puts a video on top of what the caller watched. */
export function recordWatched(videoId: string): Promise<null> {
  return call(updateHistory, { params: { videoId } })
}
