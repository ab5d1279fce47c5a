import { call } from '@kinora/contract/client.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { queryOptions } from '@tanstack/react-query'
import { introKeys } from '../../../../lib/studio-keys.ts'

/** An intro or outro, whose stream does not wait for this. Playing it counts as no view of it. */
export function introQuery(videoId: string) {
  return queryOptions({
    queryKey: introKeys.video(videoId),
    queryFn: async ({ signal }) => (await call(getVideo, { params: { id: videoId }, signal }))[0] ?? null,
    staleTime: Infinity,
  })
}
