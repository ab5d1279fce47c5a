import { call } from '@kinora/contract/client.ts'
import { getVideo, recordView } from '@kinora/contract/videos/videos.ts'
import { queryOptions } from '@tanstack/react-query'
import { videoKeys } from '../../../../lib/query-keys.ts'

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
