import { call } from '@kinora/contract/client.ts'
import {
  listDismissed,
  listDismissedVideos,
  listRecommendations,
} from '@kinora/contract/watching/recommendations.ts'
import { queryOptions } from '@tanstack/react-query'
import { recommendationKeys } from '../../../../lib/watch-keys.ts'

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
