import { call } from '@kinora/contract/client.ts'
import { hasLikedVideo } from '@kinora/contract/likes.ts'
import { queryOptions } from '@tanstack/react-query'

/** Whether the caller likes a video; asked anew on every visit. */
export function likedQuery(videoId: string) {
  return queryOptions({
    queryKey: ['liked', videoId],
    queryFn: ({ signal }) => call(hasLikedVideo, { params: { id: videoId }, signal }),
    gcTime: 0,
  })
}
