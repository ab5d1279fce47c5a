import { call } from '@kinora/contract/client.ts'
import { countVideoLikes, hasLikedVideo } from '@kinora/contract/conversation/likes.ts'
import { queryOptions } from '@tanstack/react-query'
import { likeKeys } from '../../../lib/watch-keys.ts'

/** Whether the caller likes a video; refetched on every visit. */
export function likedQuery(videoId: string) {
  return queryOptions({
    queryKey: likeKeys.liked(videoId),
    queryFn: ({ signal }) => call(hasLikedVideo, { params: { id: videoId }, signal }),
    gcTime: 0,
  })
}

/** The like count of a video, for a page whose video does not carry it. */
export function likeCountQuery(videoId: string) {
  return queryOptions({
    queryKey: likeKeys.count(videoId),
    queryFn: async ({ signal }) => {
      const count: unknown = await call(countVideoLikes, { params: { id: videoId }, signal })
      return typeof count === 'number' ? count : 0
    },
    gcTime: 0,
  })
}
